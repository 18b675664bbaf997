/** The page of explorer/ as one HTML file: its program bundled, its data packed. */
export { type Bundle, bundlePage, tellsWhatRan } from './bundle.ts';
export { collectData, type PageClaim, type PageData, type PageTrace } from './data.ts';
export { pageHtml } from './html.ts';
export { instrument, type Part } from './instrument.ts';
