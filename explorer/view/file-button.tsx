import { useRef } from 'preact/hooks';
import type { Opened } from '../model/opened.ts';
import { readFile } from '../model/read-file.ts';

export interface OpenProps {
  readonly onOpen: (opened: Opened) => void;
  readonly onProblem: (problem: string) => void;
}

/** Opens a trace from the disk. */
export function FileButton({ onOpen, onProblem }: OpenProps) {
  const input = useRef<HTMLInputElement>(null);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    const read = await readFile(file);
    if (input.current !== null) input.current.value = '';
    if (read.ok) onOpen(read.opened);
    else onProblem(read.problem);
  };
  return (
    <>
      <button type="button" class="quiet-button" onClick={() => input.current?.click()}>
        Open a trace…
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        class="visually-hidden"
        tabIndex={-1}
        aria-label="A trace in ITF"
        onChange={(event) => open(event.currentTarget.files?.[0])}
      />
    </>
  );
}
