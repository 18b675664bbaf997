/**
 * The requests that a broker of ours takes, and their responses, version by version: one table. What later versions than
 * these have is left out: topic ids for clients (Metadata 10), leaders' endpoints.
 *
 * Source: clients/src/main/resources/common/message/*.json.
 */
import { apiVersionsRequest, apiVersionsResponse, metadataRequest, metadataResponse } from './messages/cluster.ts';
import {
  listOffsetsRequest,
  listOffsetsResponse,
  offsetForLeaderEpochRequest,
  offsetForLeaderEpochResponse,
} from './messages/offsets.ts';
import { fetchRequest, fetchResponse, produceRequest, produceResponse } from './messages/records.ts';
import type { Type } from './schema.ts';

export interface Api<Q = unknown, R = unknown> {
  readonly key: number;
  readonly min: number;
  readonly max: number;
  /** The first version with compact lengths and tagged fields. */
  readonly flexible: number;
  readonly request: Type<Q>;
  readonly response: Type<R>;
}

function api<Q, R>(key: number, [min, max]: [number, number], flexible: number, request: Type<Q>, response: Type<R>) {
  return { key, min, max, flexible, request, response };
}

export const apis = {
  Produce: api(0, [3, 9], 9, produceRequest, produceResponse),
  Fetch: api(1, [4, 15], 12, fetchRequest, fetchResponse),
  ListOffsets: api(2, [1, 6], 6, listOffsetsRequest, listOffsetsResponse),
  Metadata: api(3, [0, 9], 9, metadataRequest, metadataResponse),
  ApiVersions: api(18, [0, 3], 3, apiVersionsRequest, apiVersionsResponse),
  OffsetForLeaderEpoch: api(23, [0, 4], 4, offsetForLeaderEpochRequest, offsetForLeaderEpochResponse),
} as const;

export type ApiName = keyof typeof apis;
export type RequestOf<N extends ApiName> = (typeof apis)[N]['request'] extends Type<infer Q> ? Q : never;
export type ResponseOf<N extends ApiName> = (typeof apis)[N]['response'] extends Type<infer R> ? R : never;
