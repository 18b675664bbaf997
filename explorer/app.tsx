import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Library } from './model/data.ts';
import type { Opened } from './model/opened.ts';
import { type Mode, parseRoute, printRoute, type Route } from './model/route.ts';
import { Session } from './model/session.ts';
import { sessionOf, triedOf } from './model/tried.ts';
import { CaptureView } from './view/capture.tsx';
import { LibraryProvider } from './view/context.ts';
import { DropZone } from './view/drop-zone.tsx';
import { Header } from './view/header.tsx';
import { Live } from './view/live.tsx';
import { PredictView } from './view/predict.tsx';
import { TryView } from './view/try.tsx';
import { useHash } from './view/use-hash.ts';
import { useLive } from './view/use-live.ts';
import { Watch } from './view/watch.tsx';

/** What somebody is at. Where it can be said in the URL, it is. */
interface State {
  readonly mode: Mode;
  /** The trace that is watched. */
  readonly opened: Opened;
  readonly index: number;
  /** Null: nothing has been tried yet. */
  readonly session: Session | null;
  /** The trace that the session began with. */
  readonly from: string | undefined;
  readonly versus: string | undefined;
  /** The claim that is asked about, and which of its questions. */
  readonly asked: { readonly claim: string | undefined; readonly at: number };
  /** What went wrong with a file or a link. */
  readonly problem: string | null;
}

export function App({ library }: { library: Library }) {
  const [state, setState] = useState(() => stateOf(library, parseRoute(location.hash), null));
  const change = (changes: Partial<State>) => setState((before) => ({ ...before, problem: null, ...changes }));
  const problem = (text: string) => setState((before) => ({ ...before, problem: text }));

  useHash(printRoute(routeOf(state)));
  useEffect(() => {
    const onHash = () => setState((before) => stateOf(library, parseRoute(location.hash), before));
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, [library]);
  useLayoutEffect(() => scrollTo(0, 0), [state.mode]);
  const fared = useLive(library, state.opened);

  const { mode, opened, index, session, from, versus, asked } = state;
  const tryFrom = (at: number) =>
    change({ mode: 'try', session: Session.along(opened.trace, at), from: opened.name, versus: undefined });
  const show = (next: Opened) => change({ mode: mode === 'capture' ? 'capture' : 'watch', opened: next, index: 0 });
  const current = mode !== 'watch' && session !== null ? session.opened : opened;
  return (
    <LibraryProvider value={library}>
      <DropZone onOpen={show} onProblem={problem}>
        <Header
          mode={mode}
          onMode={(next) => {
            if (next === 'try' && session === null) change(tryState(opened));
            else change(next === 'predict' ? predictState(opened, asked) : { mode: next });
          }}
          opened={opened}
          onOpen={(name) => {
            const next = library.open(name);
            if (next !== null) change({ mode: mode === 'capture' ? 'capture' : 'watch', opened: next, index: 0 });
          }}
          onFile={show}
          onProblem={problem}
        />
        <main id="main">
          {state.problem === null ? null : (
            <div class="problem" role="alert">
              <p>{state.problem}</p>
              <button type="button" onClick={() => change({})}>
                Close
              </button>
            </div>
          )}
          {state.mode === 'watch' ? <Live fared={fared} /> : null}
          {mode === 'watch' ? (
            <Watch
              key={opened.name}
              opened={opened}
              index={index}
              onGo={(next) => change({ index: next })}
              onTry={opened.config === null ? null : tryFrom}
              onPredict={opened.claim === null ? null : () => change(predictState(opened, asked))}
            />
          ) : null}
          {mode === 'try' && session !== null ? (
            <TryView
              session={session}
              base={from === undefined ? null : baseOf(library, opened, from)}
              versus={versus}
              onSession={(next) => change({ session: next })}
              onVersus={(next) => change({ versus: next })}
              onAnew={(next) => change({ session: next, from: undefined, versus: undefined })}
            />
          ) : null}
          {mode === 'predict' ? (
            <PredictView claim={asked.claim} at={asked.at} onAsk={(claim, at) => change({ asked: { claim, at } })} />
          ) : null}
          {mode === 'capture' ? (
            <CaptureView
              opened={current}
              index={current === opened ? index : current.last}
              onOpen={show}
              onProblem={problem}
            />
          ) : null}
        </main>
      </DropZone>
    </LibraryProvider>
  );
}

/** The questions of the trace that is shown, unless somebody is at them. */
function predictState({ claim }: Opened, asked: State['asked']): Partial<State> {
  const isOther = claim !== null && claim.claim !== asked.claim;
  return { mode: 'predict', asked: isOther ? { claim: claim.claim, at: 0 } : asked };
}

function tryState(opened: Opened): Partial<State> {
  if (opened.config === null) return { problem: 'This trace is of another specification: there is nothing to try.' };
  return { mode: 'try', session: Session.along(opened.trace, 0), from: opened.name, versus: undefined };
}

function baseOf(library: Library, opened: Opened, from: string): Opened | null {
  return opened.name === from ? opened : library.open(from);
}

/** `before`: what was there, of which the URL says nothing. */
function stateOf(library: Library, route: Route | null, before: State | null): State {
  const first = before?.opened ?? library.open(library.data.first)!;
  const named = route?.mode === 'watch' || route?.mode === 'capture' ? route.name : route?.tried?.from;
  const found = named === undefined || named === first.name ? first : library.open(named);
  const opened = found ?? first;
  const { session, problem } =
    route?.tried === undefined ? { session: null, problem: null } : sessionOf(library, route.tried);
  const missing = found === null ? `There is no trace “${named}” here. It shows ${first.title} instead.` : null;
  const wantsSession = route?.mode === 'try' && session === null && before?.session == null;
  return {
    mode: route?.mode ?? 'watch',
    opened,
    index: Math.min(route?.mode === 'watch' || route?.mode === 'capture' ? (route.step ?? 0) : 0, opened.last),
    session: session ?? before?.session ?? (wantsSession ? Session.along(opened.trace, 0) : null),
    from: route?.tried?.from ?? before?.from ?? (wantsSession ? opened.name : undefined),
    versus: route?.tried?.versus ?? before?.versus,
    asked:
      route?.mode === 'predict'
        ? { claim: route.name, at: route.step ?? 0 }
        : (before?.asked ?? { claim: undefined, at: 0 }),
    problem: problem ?? missing,
  };
}

function routeOf({ mode, opened, index, session, from, versus, asked }: State): Route {
  switch (mode) {
    case 'watch':
    case 'capture':
      return { mode, name: opened.name, step: index };
    case 'try':
      return session === null ? { mode } : { mode, tried: triedOf(session, from, versus) };
    case 'predict':
      return { mode, ...(asked.claim === undefined ? {} : { name: asked.claim, step: asked.at }) };
  }
}
