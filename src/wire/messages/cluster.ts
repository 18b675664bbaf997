/** Metadata and ApiVersions: what a client asks first. */
import { array, bool, field, int16, int32, nullableArray, nullableString, string, struct } from '../schema.ts';
import { NO_OPERATIONS, NONE, throttleTimeMs } from './common.ts';

export const metadataRequest = struct({
  /** Null for all; in version 0 an empty array says that. */
  topics: field(nullableArray(struct({ name: field(string) }))),
  allowAutoTopicCreation: field(bool, { since: 4, missing: true }),
  includeClusterAuthorizedOperations: field(bool, { since: 8, missing: false }),
  includeTopicAuthorizedOperations: field(bool, { since: 8, missing: false }),
});

export const metadataResponse = struct({
  throttleTimeMs: throttleTimeMs(3),
  brokers: field(
    array(
      struct({
        nodeId: field(int32),
        host: field(string),
        port: field(int32),
        rack: field(nullableString, { since: 1, missing: null }),
      }),
    ),
  ),
  clusterId: field(nullableString, { since: 2, missing: null }),
  controllerId: field(int32, { since: 1, missing: NONE }),
  topics: field(
    array(
      struct({
        errorCode: field(int16),
        name: field(string),
        isInternal: field(bool, { since: 1, missing: false }),
        partitions: field(
          array(
            struct({
              errorCode: field(int16),
              index: field(int32),
              leaderId: field(int32),
              leaderEpoch: field(int32, { since: 7, missing: NONE }),
              replicas: field(array(int32)),
              isr: field(array(int32)),
              offline: field(array(int32), { since: 5, missing: [] }),
            }),
          ),
        ),
        authorizedOperations: field(int32, { since: 8, missing: NO_OPERATIONS }),
      }),
    ),
  ),
  authorizedOperations: field(int32, { since: 8, missing: NO_OPERATIONS }),
});

export const apiVersionsRequest = struct({
  clientSoftwareName: field(string, { since: 3, missing: '' }),
  clientSoftwareVersion: field(string, { since: 3, missing: '' }),
});

export const apiVersionsResponse = struct({
  errorCode: field(int16),
  apis: field(array(struct({ key: field(int16), min: field(int16), max: field(int16) }))),
  throttleTimeMs: throttleTimeMs(1),
});
