import { useEffect, useMemo, useState } from 'preact/hooks';
import { MISCONCEPTIONS, type Misconception } from '../model/predict/misconceptions.ts';
import { ruleOf } from '../model/predict/rule.ts';
import type { Stop } from '../model/predict/stop.ts';
import { stopsOf } from '../model/predict/stops.ts';
import { useLibrary } from './context.ts';
import { Stage } from './stage.tsx';

export interface PredictProps {
  readonly claim: string | undefined;
  readonly at: number;
  readonly onAsk: (claim: string, at: number) => void;
}

/** Questions before decisive steps, claim by claim. */
export function PredictView({ claim: wanted, at, onAsk }: PredictProps) {
  const library = useLibrary();
  const { claims } = library.data;
  const claim = claims.find((one) => one.claim === wanted) ?? library.claim(library.data.first) ?? claims[0]!;
  const stops = useMemo(() => stopsOf(library, claim), [library, claim]);
  const index = Math.min(at, stops.length - 1);
  const stop = stops[index];
  const chooser = (
    <div class="setup">
      <label class="claim">
        <span class="quiet">Claim</span>
        <select value={claim.claim} onChange={(event) => onAsk(event.currentTarget.value, 0)}>
          {claims.map((one) => (
            <option key={one.claim} value={one.claim}>
              {library.titleOf(one.claim)}
            </option>
          ))}
        </select>
      </label>
      <span class="quiet">{`Question ${index + 1} of ${stops.length}`}</span>
    </div>
  );
  return (
    <>
      {stop === undefined ? null : (
        <Question
          key={`${claim.claim}-${index}`}
          {...{ stop, chooser }}
          onNext={index + 1 < stops.length ? () => onAsk(claim.claim, index + 1) : null}
          onAgain={() => onAsk(claim.claim, 0)}
        />
      )}
      <Misconceptions onAsk={onAsk} />
    </>
  );
}

/** What is often believed: each leads to its question. */
function Misconceptions({ onAsk }: Pick<PredictProps, 'onAsk'>) {
  const library = useLibrary();
  const known = MISCONCEPTIONS.filter(({ claim }) => library.claim(claim) !== null);
  const ask = ({ id, claim }: Misconception) => {
    const about = stopsOf(library, library.claim(claim)!);
    onAsk(
      claim,
      Math.max(
        0,
        about.findIndex(({ misconception }) => misconception === id),
      ),
    );
    scrollTo(0, 0);
  };
  return (
    <section class="card beliefs" aria-label="Common misconceptions">
      <h2>Often believed. Is it so?</h2>
      <ul>
        {known.map((one) => (
          <li key={one.id}>
            <button type="button" class="link" onClick={() => ask(one)}>
              {one.belief}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface QuestionProps {
  readonly stop: Stop;
  readonly chooser: preact.ComponentChildren;
  readonly onNext: (() => void) | null;
  readonly onAgain: () => void;
}

function Question({ stop, chooser, onNext, onAgain }: QuestionProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { opened, index, question, options } = stop;
  const answered = chosen !== null;
  const choose = (at: number) => setChosen((before) => before ?? (at < options.length ? at : null));
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      if (target instanceof HTMLElement && target.matches('input, select, textarea')) return;
      if (/^[1-9]$/.test(key)) choose(Number(key) - 1);
      if (key === 'n' && answered) (onNext ?? onAgain)();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <div class="screen">
      <section class="main-column card" aria-label="The scene">
        {chooser}
        <Stage opened={opened} index={answered ? index : index - 1} />
        <p class="next quiet">{`${opened.title}: ${answered ? 'after' : 'before'} step ${index} of ${opened.last}`}</p>
      </section>
      <section class="card question" aria-label="Question">
        <h2 id="question">{question}</h2>
        <fieldset class="options" aria-labelledby="question">
          {options.map(({ text, right }, at) => (
            <button
              key={text}
              type="button"
              disabled={answered && at !== chosen && !right}
              class={answered ? (right ? 'right' : at === chosen ? 'wrong' : '') : ''}
              aria-pressed={at === chosen}
              onClick={() => choose(at)}
            >
              <kbd>{at + 1}</kbd> {text}
              {answered && right ? ' ✓' : answered && at === chosen ? ' ✗' : ''}
            </button>
          ))}
        </fieldset>
        <div aria-live="polite">
          {answered ? <Explanation stop={stop} isRight={options[chosen]?.right === true} /> : null}
        </div>
        {answered ? (
          <p class="next">
            <button type="button" class="primary" onClick={onNext ?? onAgain}>
              {onNext === null ? 'That was the last. From the beginning' : 'Next question'}
            </button>
          </p>
        ) : (
          <p class="quiet answer">Answer with a click, or with the keys 1 to {options.length}.</p>
        )}
      </section>
    </div>
  );
}

function Explanation({ stop, isRight }: { stop: Stop; isRight: boolean }) {
  const { sources } = useLibrary().data;
  const rule = stop.rule === null ? null : ruleOf(stop.rule, sources);
  const misconception = MISCONCEPTIONS.find(({ id }) => id === stop.misconception);
  return (
    <div class="explanation">
      <p class={isRight ? 'judged good' : 'judged bad'}>{isRight ? 'Right.' : 'Not so.'}</p>
      <p>{stop.outcome}</p>
      {misconception === undefined ? null : (
        <p class="truth">
          <strong>{`Often believed: ${misconception.belief}`}</strong> {misconception.truth}{' '}
          <span class="quiet">{misconception.source}</span>
        </p>
      )}
      {rule === null ? null : (
        <p class="rule">
          <span class="quiet">The rule, from </span>
          <code>{`src/replica/${rule.file}`}</code>: {rule.text}
          {rule.source === null ? null : <span class="quiet">{` Kafka: ${rule.source}`}</span>}
        </p>
      )}
    </div>
  );
}
