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

/** @throws UsageError also if brokers cannot follow it with the messages that Kafka has */
export async function checkProfileOfBrokers(profile: string): Promise<void> {
  checkProfile(profile);
  const { whyNotCarried } = await import('../cluster/index.ts');
  const reason = whyNotCarried(switchesOf(profile));
  if (reason !== null) throw new UsageError(`Brokers cannot follow ${profile}: ${reason}.`);
}
