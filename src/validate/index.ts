/** Trace validation: whether the log of a running system is a behaviour of the specification. TLC decides. */
export type { Blocked, Mismatch, Place } from './explain.ts';
export { LogError, type LoggedEvent, type RunLog, readLog } from './readLog.ts';
export { ProfileMixError } from './toTla.ts';
export { type ValidateOptions, type Validation, validate } from './validate.ts';
