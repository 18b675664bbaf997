/** Kafka's protocol on the wire, as far as replicas and ordinary clients need it. */
export { type ApiName, apis, type RequestOf, type ResponseOf } from './apis.ts';
export { WireError } from './bytes.ts';
export { errors } from './errors.ts';
export {
  type AnyRequest,
  answerUnsupported,
  apiVersions,
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  FrameSplitter,
  type Request,
  readRequestOf,
  readResponseOf,
  type Unsupported,
  unframed,
} from './frames.ts';
export { topicId } from './topicId.ts';
