/** What people read: the story of a trace, its page, where a replay went another way. Returns text, prints nothing. */
export { type Conclusion, conclude } from './conclusion.ts';
export { type DifferencesOptions, differences } from './differences.ts';
export { differingOffsets, isAcked, isAlive, isElected, missingFrom, type Step as ToldBetween } from './facts.ts';
export { type PageOptions, tracePage } from './page.ts';
export { type Palette, paletteFor } from './palette.ts';
export { PROPERTIES } from './properties.ts';
export { messageText, tell } from './sentences/index.ts';
export { type Told, type ToldStep, tellSteps } from './steps.ts';
export { type StoryOptions, tellStory } from './story.ts';
export { type TableOptions, table } from './table.ts';
export { enumerate, recordText } from './words.ts';
export {
  type CacheEntry,
  type LogRecord,
  type Message,
  NO_ONE,
  type Replica,
  readWorld,
  StoryError,
  UNDEFINED,
  type World,
} from './world.ts';
