import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { MODES, type Mode } from '../model/route.ts';
import { useLibrary } from './context.ts';
import { FileButton } from './file-button.tsx';

const TITLES: Readonly<Record<Mode, string>> = {
  watch: 'Watch',
  try: 'Try it',
  predict: 'Predict',
  capture: 'Capture',
};

export interface HeaderProps {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  readonly opened: Opened;
  readonly onOpen: (name: string) => void;
  readonly onFile: (opened: Opened) => void;
  readonly onProblem: (problem: string) => void;
}

/** Which mode, which trace, which theme. */
export function Header({ mode, onMode, opened, onOpen, onFile, onProblem }: HeaderProps) {
  const library = useLibrary();
  const isRecorded = library.names.includes(opened.name);
  // The same options with every step: they are compared by identity.
  const options = useMemo(
    () =>
      library.names.map((one) => (
        <option key={one} value={one}>
          {library.titleOf(one)}
        </option>
      )),
    [library],
  );
  return (
    <header class="top">
      <h1>
        <span class="visually-hidden">How Kafka lost a record: </span>leader epochs
      </h1>
      <nav class="modes" aria-label="Modes">
        {MODES.map((one) => (
          <button key={one} type="button" aria-current={one === mode ? 'page' : undefined} onClick={() => onMode(one)}>
            {TITLES[one]}
          </button>
        ))}
      </nav>
      {mode === 'predict' ? null : (
        <label class="chooser">
          <span class="visually-hidden">Counterexample</span>
          <select value={isRecorded ? opened.name : ''} onChange={(event) => onOpen(event.currentTarget.value)}>
            {isRecorded ? null : <option value="">{opened.title}</option>}
            {options}
          </select>
        </label>
      )}
      <span class="spacer" />
      <FileButton onOpen={onFile} onProblem={onProblem} />
      <ThemeButton />
    </header>
  );
}

/** As the system has it, until somebody chooses. */
function ThemeButton() {
  const [theme, setTheme] = useState<string | null>(null);
  const isDark = theme === null ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  useEffect(() => {
    if (theme !== null) document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <button type="button" class="quiet-button" onClick={() => setTheme(isDark ? 'light' : 'dark')}>
      {isDark ? 'Light' : 'Dark'}
    </button>
  );
}
