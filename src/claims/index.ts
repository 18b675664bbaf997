export { type Acceptance, accept } from './accept.ts';
export { type BeyondResult, type BeyondRun, loadBeyond, printBeyond, tryBeyond, whyUntried } from './beyond.ts';
export {
  type CheckOptions,
  type ClaimResult,
  checkClaim,
  explainFailure,
  judge,
  modelConfig,
  type Verdict,
  variableOrder,
} from './check.ts';
export { type Claim, ClaimsError, loadClaims, pickClaims, specFolder } from './claims.ts';
export { ConfigError, type ModelConfig, parseConfig } from './config.ts';
export { checkDistributed, whyNotDistributed } from './distributed.ts';
export { type Manifest, manifestOf } from './manifest.ts';
export { didYouMean } from './nearest.ts';
export { readProfiles } from './profiles.ts';
export { specHash, withoutComments } from './specHash.ts';
export { isOfTheProtocol, TRIES, type Try } from './variant.ts';
