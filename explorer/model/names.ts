import { profiles } from '../../src/replica/index.ts';

/** As the specification calls them: `kafka_0_10_2` is `Kafka_0_10_2`. */
export const PROFILES: readonly string[] = Object.keys(profiles).map(
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
);

/** A profile for people: `Kafka 0.10.2`, `KIP-101`. */
export function profileTitle(name: string): string {
  const release = /^Kafka_([\d_]+?)(?:_as_([\d_]+))?$/.exec(name);
  const dotted = (text: string) => text.replaceAll('_', '.');
  if (release) return `Kafka ${dotted(release[1]!)}${release[2] ? ` speaking as ${dotted(release[2])}` : ''}`;
  const kip = /^Kip(\d+)$/.exec(name);
  return kip ? `KIP-${kip[1]}` : words(name);
}

/** In a list: a rule by itself is told apart from the release that brought it. */
export function profileOption(name: string): string {
  return name.startsWith('Kafka_') ? profileTitle(name) : `${profileTitle(name)} (the rule alone)`;
}

const ABBREVIATIONS: Readonly<Record<string, string>> = { Isr: 'ISR', Hw: 'HW', Kip: 'KIP' };

/** `HandleFetchResponse`: `Handle fetch response`. */
export function words(name: string): string {
  const parts = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(' ');
  const shown = parts.map((part) => ABBREVIATIONS[part] ?? part);
  return shown.map((part, index) => (index === 0 || part === part.toUpperCase() ? part : part.toLowerCase())).join(' ');
}
