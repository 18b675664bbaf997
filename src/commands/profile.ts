import { didYouMean } from '../claims/index.ts';
import { profiles } from '../replica/index.ts';
import { switchesOf } from '../systems/memory.ts';
import { UsageError } from './io.ts';

/** @throws UsageError if spec/Profiles.tla has no such profile */
export function checkProfile(profile: string): void {
  const known = Object.keys(profiles).map((key) => key.charAt(0).toUpperCase() + key.slice(1));
  if (known.includes(profile)) return;
  throw new UsageError(`There is no profile "${profile}".${didYouMean(profile, known)} There are ${known.join(', ')}.`);
}

/** @throws UsageError also if brokers cannot follow it with the messages that Kafka has */
export async function checkProfileOfBrokers(profile: string): Promise<void> {
  checkProfile(profile);
  const { whyNotCarried } = await import('../cluster/index.ts');
  const reason = whyNotCarried(switchesOf(profile));
  if (reason !== null) throw new UsageError(`Brokers cannot follow ${profile}: ${reason}.`);
}
