import { useState } from 'preact/hooks';
import { PROFILES, profileOption, profileTitle } from '../model/names.ts';

export interface RuleChooserProps {
  readonly current: string;
  /** The rule that mends what the trace shows. */
  readonly mends: string;
  readonly onChoose: (rule: string) => void;
}

/** What a claim says that mends it; or the next rule that was made. */
export function mendOf(current: string, claimed: string | undefined): string {
  return claimed ?? (current === 'Kip101' ? 'Kip320' : 'Kip101');
}

/** All rules and releases; the one that is known to mend it has a button of its own. */
export function RuleChooser({ current, mends, onChoose }: RuleChooserProps) {
  const [chosen, setChosen] = useState('');
  return (
    <div class="rules">
      {mends === current ? null : (
        <button type="button" class="primary" onClick={() => onChoose(mends)}>
          {`Switch to ${profileTitle(mends)}`}
        </button>
      )}
      <label>
        <span class="quiet">or to</span>{' '}
        <select
          value={chosen}
          onChange={(event) => {
            setChosen('');
            if (event.currentTarget.value !== '') onChoose(event.currentTarget.value);
          }}
        >
          <option value="">another rule…</option>
          {PROFILES.filter((name) => name !== current).map((name) => (
            <option key={name} value={name}>
              {profileOption(name)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
