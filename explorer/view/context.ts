import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Library } from '../model/data.ts';

const LibraryContext = createContext<Library | null>(null);

export const LibraryProvider = LibraryContext.Provider;

export function useLibrary(): Library {
  const library = useContext(LibraryContext);
  if (library === null) throw new TypeError('There is no library around');
  return library;
}
