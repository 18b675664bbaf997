import type { Library } from '../model/data.ts';
import type { Opened } from '../model/opened.ts';

/** What a server has to say of a trace, if there is one. */
export function useLive(_library: Library, _opened: Opened): null {
  return null;
}
