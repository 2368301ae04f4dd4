export {
  answer,
  callTool,
  callTools,
  consume,
  cutStream,
  expectRequest,
  fail,
  finish,
  refuse,
  say,
  stall,
  think,
  type CallPiece,
  type ScriptAnswer,
  type ScriptPiece,
  type ScriptStep,
} from './script-step';
export { scripted, ScriptError, type ScriptedModel, type ScriptedOptions } from './scripted';
export { assertScriptsFinished, watchScripts } from './script-ledger';
export type { RequestExpectation, TextPattern } from './request-expectation';
export { transcriptText } from './transcript-text';
