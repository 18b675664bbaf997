import { readdirSync } from 'node:fs';
import type { BeyondRun } from './beyond.ts';
import { modelConfig } from './check.ts';
import { type Claim, specFolder } from './claims.ts';

/** The folder that it would be in the repository of TLA+ examples: there modules and models lie side by side. */
const FOLDER = 'specifications/KafkaLeaderEpochs';

/** What tlaplus/Examples wants to know of a specification: `manifest.json`, by its `manifest-schema.json`. */
export interface Manifest {
  readonly sources: readonly string[];
  readonly authors: readonly string[];
  readonly tags: readonly ('beginner' | 'intermediate' | 'ewd')[];
  readonly modules: readonly ManifestModule[];
}

export interface ManifestModule {
  readonly path: string;
  readonly features: readonly ('pluscal' | 'action composition')[];
  readonly models: readonly ManifestModel[];
}

export interface ManifestModel {
  readonly path: string;
  /** `HH:MM:SS`, or `unknown`. */
  readonly runtime: string;
  readonly mode: 'exhaustive search';
  readonly result: 'success' | 'safety failure' | 'liveness failure';
  readonly distinctStates?: number;
  readonly stateDepth?: number;
}

/** Each module, and each claim's model with its verdict; the runtime as it was measured. */
export function manifestOf(claims: readonly Claim[], runs: readonly BeyondRun[], folder = specFolder): Manifest {
  const shared = readdirSync(folder).filter((name) => name.endsWith('.tla'));
  const models = [...claims].sort((a, b) => (a.model < b.model ? -1 : 1));
  return {
    sources: [
      'https://cwiki.apache.org/confluence/display/KAFKA/KIP-101+-+Alter+Replication+Protocol+to+use+Leader+Epoch+rather+than+High+Watermark+for+Truncation',
      'https://cwiki.apache.org/confluence/display/KAFKA/KIP-279%3A+Fix+log+divergence+between+leader+and+follower+after+fast+leader+fail+over',
      'https://cwiki.apache.org/confluence/display/KAFKA/KIP-320%3A+Allow+fetchers+to+detect+and+handle+log+truncation',
      'https://github.com/apache/kafka',
    ],
    authors: ['The authors of leader-epoch'],
    tags: ['intermediate'],
    modules: [
      ...shared.sort().map((name) => ({ path: `${FOLDER}/${name}`, features: [], models: [] })),
      ...models.map((claim) => ({
        path: `${FOLDER}/${claim.model}.tla`,
        features: [],
        models: [
          modelOf(
            claim,
            runs.find((run) => run.claim === claim.claim && run.try === 'itself'),
            folder,
          ),
        ],
      })),
    ],
  };
}

function modelOf({ model, verdict, counts }: Claim, run: BeyondRun | undefined, folder: string): ManifestModel {
  const isTemporal = modelConfig(model, folder).properties.length > 0;
  return {
    path: `${FOLDER}/${model}.cfg`,
    runtime: run === undefined ? 'unknown' : clock(Math.max(1, run.seconds)),
    mode: 'exhaustive search',
    result: verdict === 'holds' ? 'success' : isTemporal ? 'liveness failure' : 'safety failure',
    // Only a search that came to its end has counts that are the same every time.
    ...(counts.states !== undefined && { distinctStates: counts.states }),
    ...(counts.depth !== undefined && { stateDepth: counts.depth }),
  };
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
