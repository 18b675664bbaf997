import { useEffect, useState } from 'preact/hooks';
import { printItf } from '../../src/trace/index.ts';
import type { Library } from '../model/data.ts';
import type { Opened } from '../model/opened.ts';

/** How a system of the server's fared with the trace. */
export interface Fared {
  readonly system: string;
  readonly good: boolean;
  readonly text: string;
}

/** Where the page is served: the trace replayed on what the server has, and a fresh page when traces change. */
export function useLive({ data }: Library, opened: Opened): readonly Fared[] {
  const [fared, setFared] = useState<readonly Fared[]>([]);
  useEffect(() => {
    if (!data.served) return;
    const changes = new EventSource('/changes');
    changes.addEventListener('changed', () => location.reload());
    return () => changes.close();
  }, [data]);
  useEffect(() => {
    setFared([]);
    if (!data.served || opened.config === null) return;
    const stop = new AbortController();
    fetch('/replay', { method: 'POST', body: printItf(opened.trace), signal: stop.signal })
      .then(async (response) =>
        setFared(response.ok ? ((await response.json()) as Fared[]) : [problem(await response.text())]),
      )
      .catch((error: Error) => {
        if (!stop.signal.aborted) setFared([problem(`The server does not answer: ${error.message}.`)]);
      });
    return () => stop.abort();
  }, [data, opened]);
  return fared;
}

function problem(text: string): Fared {
  return { system: 'server', good: false, text };
}
