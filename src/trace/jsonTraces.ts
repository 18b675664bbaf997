import { isItfList, itfTraces } from './itfRead.ts';
import { type Json, readJson } from './json.ts';
import { tlcTrace } from './tlcJson.ts';
import type { Trace } from './trace.ts';
import { ITF } from './traceError.ts';

/** Reads ITF, or what `-dumpTrace json` writes. Told apart by the outermost keys, for a variable may have any name. Throws a TraceError. */
export function parseJsonTraces(text: string, { file }: { file?: string } = {}): Trace[] {
  const json = readJson(text, ITF, file);
  return isOfTlc(json) ? [tlcTrace(json, file)] : itfTraces(json, file);
}

function isOfTlc(json: Json): boolean {
  if (Array.isArray(json)) return !isItfList(json);
  return json instanceof Map && !json.has('states') && (json.has('counterexample') || json.has('state'));
}
