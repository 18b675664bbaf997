export { parseItf } from './itfRead.ts';
export { printItf } from './itfWrite.ts';
export { parseJsonTraces } from './jsonTraces.ts';
export { printMarkdown } from './markdown.ts';
export { printMermaid } from './mermaid.ts';
export {
  type Sequence,
  type SequenceMapping,
  type SequenceMessage,
  type SequenceStep,
  sequenceOf,
} from './sequence.ts';
export { printSvg } from './svg.ts';
export { printText } from './text.ts';
export { printTlaModule, type TlaModule } from './tlaModule.ts';
export { LOST_IN_JSON, parseTlcJson } from './tlcJson.ts';
export { isOfToolbox, parseToolbox } from './toolbox.ts';
export { type ActionTaken, assertTrace, BESIDE_VARIABLES, type State, type Trace } from './trace.ts';
export { ItfError, TraceError } from './traceError.ts';
export { normalizeUnits, type Variant, variantOf } from './variant.ts';
export { actionText } from './words.ts';
