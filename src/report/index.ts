/** What people read: the story of a trace, its page, where a replay went another way. Returns text, prints nothing. */
export { type DifferencesOptions, differences } from './differences.ts';
export { type PageOptions, tracePage } from './page.ts';
export { type Palette, paletteFor } from './palette.ts';
export { PROPERTIES } from './properties.ts';
export { type StoryOptions, tellStory } from './story.ts';
export { type TableOptions, table } from './table.ts';
