import { gzipSync } from 'node:zlib';
import type { Bundle } from './bundle.ts';
import type { PageData } from './data.ts';

/** One file that needs nothing else: the program, the style, and the data, packed. */
export function pageHtml({ script, style }: Bundle, data: PageData): string {
  const packed = gzipSync(JSON.stringify(data), { level: 9 }).toString('base64');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src ${data.served ? "'self'" : "'none'"}; base-uri 'none'; form-action 'none'">
<title>How Kafka lost a record: leader epochs, step by step</title>
<link rel="icon" href="${ICON}">
<style>${style.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<div id="app"><main class="loading"><h1>How Kafka lost a record</h1><p>Leader epochs, step by step.</p></main></div>
<noscript><p>This page runs Kafka's replication protocol itself, which takes JavaScript.</p></noscript>
<script type="application/octet-stream" id="data">${packed}</script>
<script type="module">${script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}</script>
</body>
</html>
`;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="5" width="6" height="6" rx="1" fill="#2f6fb3"/><rect x="9" y="5" width="6" height="6" rx="1" fill="none" stroke="#c0392b" stroke-dasharray="2 1"/></svg>',
)}`;
