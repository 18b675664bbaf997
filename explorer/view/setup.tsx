import { PROFILES, profileOption } from '../model/names.ts';
import { type Given, Session, withConstants } from '../model/session.ts';

const SIZES = [
  ['A', 'B'],
  ['A', 'B', 'C'],
] as const;

/** The cluster: another one begins anew. */
export function Setup({ session, onAnew }: { session: Session; onAnew: (session: Session) => void }) {
  const { config, opened } = session;
  const { rules } = opened.shape();
  const begin = (given: Given) => onAnew(Session.begin(withConstants(session.constants, given)));
  return (
    <div class="setup">
      <label>
        <span class="quiet">Every replica runs</span>
        <select value={opened.profile} onChange={(event) => begin({ rule: event.currentTarget.value })}>
          {PROFILES.map((name) => (
            <option key={name} value={name}>
              {profileOption(name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="quiet">Replicas</span>
        <select
          value={String(config.replicas.length)}
          onChange={(event) => begin({ replicas: SIZES[Number(event.currentTarget.value) - 2] })}
        >
          {SIZES.map((replicas) => (
            <option key={replicas.length} value={String(replicas.length)}>
              {replicas.length}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="quiet">min.insync.replicas</span>
        <select
          value={String(config.minIsr)}
          onChange={(event) => begin({ minIsr: Number(event.currentTarget.value) })}
        >
          {config.replicas.map((id, index) => (
            <option key={id} value={String(index + 1)}>
              {index + 1}
            </option>
          ))}
        </select>
      </label>
      {rules === undefined ? null : (
        <span class="tag">
          {Object.entries(rules)
            .map(([id, rule]) => `${id}: ${rule}`)
            .join(', ')}
        </span>
      )}
      <span class="quiet">A change begins anew.</span>
    </div>
  );
}
