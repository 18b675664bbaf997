import { switchesOf } from '../systems/memory.ts';
import { UsageError } from './io.ts';

/** @throws UsageError if spec/Profiles.tla has no such profile */
export function checkProfile(profile: string): void {
  try {
    switchesOf(profile);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${error.message}. spec/Profiles.tla has them all.`);
    throw error;
  }
}
