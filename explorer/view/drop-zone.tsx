import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readFile } from '../model/read-file.ts';
import type { OpenProps } from './file-button.tsx';

/** A file that is dropped anywhere on the page is opened. */
export function DropZone({ onOpen, onProblem, children }: OpenProps & { readonly children: ComponentChildren }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = async (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return onProblem('What was dropped is no file. Drop a trace in ITF (….itf.json).');
      const read = await readFile(file);
      if (read.ok) onOpen(read.opened);
      else onProblem(read.problem);
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, [onOpen, onProblem]);
  return (
    <>
      {children}
      {over ? <div class="dropping">Drop a trace in ITF to open it</div> : null}
    </>
  );
}
