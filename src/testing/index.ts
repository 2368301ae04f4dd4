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
export { functionModel } from './function-model';
export { recordedModel, RecordingError, type RecordedModelOptions } from './recorded-model';
export { generateArguments } from './generate-value';
export type { RequestExpectation, TextPattern } from './request-expectation';
export {
  errorTool,
  failingTool,
  mockTool,
  slowTool,
  spyTool,
  type DoubleBehaviour,
  type DoubleCall,
  type DoubleOptions,
  type ToolDouble,
} from './tool-double';
export { testContext, type TestContext, type TestContextOptions } from './test-context';
export { createTestRunner, type TestRunnerOptions } from './test-runner';
export { testEnvironment, type TestEnvironmentOptions } from './test-environment';
export { CheckError } from './check-error';
export { transcriptText } from './transcript-text';
export { generatedModel, type GeneratedModelOptions } from './generated-model';
export { recordEvents, stableEvents, type EventRecorder } from './event-recorder';
export { judge, type Judgement, type Verdict } from './judge';
export { agentContract, type AgentContract } from './agent-contract';
export { allowRealRequests, assertNoRealRequests, forbidRealRequests } from './real-requests';
export {
  assertCalledTool,
  assertCalledTools,
  assertNotCalledTool,
  assertOutcome,
  assertStopReason,
  assertValidTranscript,
  type CheckedRun,
  type ExpectedCall,
} from './checks';
export { everyToolSurvives, type SurvivalOptions } from './every-tool-survives';
