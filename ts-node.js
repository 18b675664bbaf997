// Lets Node run the TypeScript sources as they are: `node --import ./ts-node.js src/cli.ts`, from whatever folder.
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.TS_NODE_PROJECT ??= fileURLToPath(new URL('./tsconfig.json', import.meta.url));
register('./ts-node-hooks.js', import.meta.url);
