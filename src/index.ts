// Declaring: decorators and the types that stand behind `type:`.
export { AgentConfig } from './decorators/agent-config';
export { Args } from './decorators/args';
export { Ctx } from './decorators/ctx';
export { Field } from './decorators/field';
export { Param } from './decorators/param';
export { Preview } from './decorators/preview';
export { Tool } from './decorators/tool';
export { Toolset } from './decorators/toolset';
export { Integer, arrayOf, enumOf, jsonSchema, literal, nullable, oneOf, recordOf, tupleOf } from './types/type-spec';
export type { ArgsDecorator } from './decorators/args';
export type { AgentConfigDecorator } from './decorators/agent-config';
export type { CtxDecorator } from './decorators/ctx';
export type { FieldDecorator } from './decorators/field';
export type { ParamDecorator } from './decorators/param';
export type { PreviewDecorator } from './decorators/preview';
export type { ToolDecorator } from './decorators/tool';
export type { ToolsetDecorator } from './decorators/toolset';
export type { Constraints, ParamOptions } from './types/param-options';
export type { StandardIssue, StandardResult, StandardSchema } from './types/standard-schema';
export type { AnyClass, ArrayOptions, EnumObject, EnumOf, Scalar, TypeOf, TypeRef, TypeSpec } from './types/type-spec';

// Agents: the base class and its configuration.
export { Agent } from './agent/agent';
export { agentTool } from './agent/agent-tool';
export { handoff } from './agent/handoff';
export type { AgentClass, AgentRef, AnyAgent, DepsOf, OutputOf, SubagentRef } from './agent/agent';
export type { AgentToolOptions } from './agent/agent-tool';
export type { Handoff, HandoffOptions } from './agent/handoff';
export type { AgentOptions, ContributedOptions, HooksRef, Instructions, Limits } from './agent/agent-options';
export type { Guardrail, GuardrailDecision, Guardrails } from './agent/guardrails';
export type { AfterModelView, BeforeModelDecision, BeforeModelView, Hooks } from './agent/hooks';

// Tools: what they receive, what they return, and the forms without decorators.
export { ContextUpdate } from './tools/context-update';
export { defineTool } from './tools/define-tool';
export { externalTool } from './tools/external-tool';
export { isToolClass } from './tools/tool-class';
export { toolMetadataOf, toolNameOf } from './tools/tool-metadata';
export { ToolRegistry, defaultRegistry } from './tools/tool-registry';
export { toolset } from './tools/toolset-view';
export { ToolContext } from './tools/tool-context';
export { ToolResult } from './tools/tool-result';
export type { Contribution, ContributionOptions, Ownership, RegisteredContribution } from './tools/contributions';
export type { ContextLimits, RunContext } from './tools/tool-context';
export type { BoundTool, ToolDefinition } from './tools/tool-definition';
export type { ToolMetadata } from './tools/tool-metadata';
export type { ToolAnnotations, ToolOptions, ToolPredicate } from './tools/tool-options';
export type { ToolClass, ToolRef } from './tools/tool-ref';
export type { ContentResultOptions, Envelope, ToolResultOptions } from './tools/tool-result';
export type {
  ArgsOf,
  DefinedTool,
  ExternalToolOptions,
  DefineToolOptions,
  ShapeEntry,
  ToolParameters,
  ToolShape,
} from './tools/tool-shape';
export type { ToolsetOptions } from './tools/toolset-options';
export type {
  ToolFilter,
  ToolPreparation,
  ToolsetFactory,
  ToolsetInstructions,
  ToolsetRef,
  ToolsetSource,
  ToolsetTools,
  ToolsetView,
} from './tools/toolset';

// The gate: what hooks, policies and approvers are given and say.
export type { ApprovalDecision, ApprovalRequest, Approver, ApproverFunction, ApproverService } from './invocation/approval';
export type { BeforeToolDecision, CallView, ToolHooks } from './invocation/hooks';
export type { CallMatcher, Policy, PolicyDecision, PolicyFunction, PolicyRules } from './invocation/policy';

// Running: the runner, its options, handle, events and results.
export { AgentRunner } from './runner/agent-runner';
export type { RunnerOptions } from './runner/agent-runner';
export type { SteerInput } from './runner/conversation/inbox';
export type { RunHandle } from './runner/run-handle';
export type { ToolOverride } from './runner/tool-overrides';
export type { ResumeArguments, ResumeOptions, RunArguments, RunInput, RunOptions } from './runner/run-options';
export type { Compaction, CompactionDecision, CompactionView } from './runner/persistence/compaction';
export type { DecisionCheck } from './runner/persistence/decision-check';
export { fromOpenAIChat, toOpenAIChat } from './runner/openai-history';
export type { FromOpenAIChatOptions } from './runner/openai-history';
export type { RunInspection } from './runner/persistence/inspect-run';
export type { ResumeSource } from './runner/persistence/open-session';
export type { SnapshotCodec } from './runner/persistence/snapshot';
export { decide } from './types/decision';
export type { Decision, DecisionAnswer, DecisionTarget } from './types/decision';
export type { PendingCall, WaitCause } from './types/pending-call';
export type { SessionEntry, SessionInfo, SessionLock, SessionStore } from './types/session';
export type { EventBody, EventHeader, RunEvent } from './types/run-event';
export type {
  CompletedRun,
  DirectRun,
  ErrorFacts,
  LimitedRun,
  LimitName,
  LoopedRun,
  PausedRun,
  RefusedRun,
  RunFacts,
  RunResult,
  StopReason,
  ToolCallRecord,
} from './types/run-result';
export type { BranchArguments, BranchOptions, ReplayArguments, ReplayOptions } from './runner/replay-run';
export type { ChangedAnswer, RecordedStep, RunRecord } from './types/run-record';
export type { PathStep } from './types/run-path';
export type { Usage } from './types/usage';

// Plain data: messages, outcomes, state.
export type {
  AssistantMessage,
  FilePart,
  ImagePart,
  JsonPart,
  Message,
  MessageCall,
  Part,
  SystemMessage,
  TextPart,
  ToolMessage,
  UserMessage,
} from './types/message';
export type { JsonObject, JsonSchema, JsonValue } from './types/json';
export type { ApprovalCause, Outcome, RefusalReason, Trust } from './types/outcome';
export type { State, StateOperation, StatePath } from './types/state-operation';
export type { Environment } from './types/environment';

// Services: the container port and overrides.
export type { AnyOverride, ClassToken, Container, ServiceToken } from './container/container';
export type { Fake, Override, Overrides, Provided } from './container/override';

// Models: the port, adapters, and what is known of providers.
export { offlineModel } from './models/offline/offline-model';
export { OpenAIChatModel } from './models/openai-chat-model';
export { OpenAIResponsesModel } from './models/openai-responses-model';
export { registerPrices } from './models/prices';
export { promptedTools } from './models/prompted-tools';
export { registerProvider } from './models/providers';
export { withRetries } from './models/retry';
export type { OpenAIChatModelOptions } from './models/openai-chat-model';
export type { OpenAIClient, OpenAIConnection } from './models/openai-client';
export type { OpenAIResponsesModelOptions } from './models/openai-responses-model';
export type { ModelPrices } from './models/prices';
export type { ProviderEntry, ProviderFactory } from './models/providers';
export type { RetryEnvironment, RetryOptions } from './models/retry';
export type {
  FinishReason,
  Model,
  ModelCapabilities,
  ModelChunk,
  ModelOutput,
  ModelRef,
  ModelRequest,
  ModelSettings,
  ModelTool,
  ModelUsage,
  ToolChoice,
} from './models/model';

// Trust: foreign text in a message of one's own, and what must not be seen.
export { wrapExternal } from './trust/fence';
export { inertOutput } from './trust/inert-output';
export { redact } from './trust/redaction';
export { forgetSecret, secret } from './trust/secrets';
export type { ExternalOrigin } from './trust/fence';

// Telemetry: what is written down of runs.
export { auditTrail } from './telemetry/audit-trail';
export type { AuditEntry, AuditTrailOptions } from './telemetry/audit-trail';

// Errors: a class for each case that is caught differently.
export { ToolDefinitionError } from './errors/definition-error';
export { ReplayError } from './errors/replay-error';
export { FatalRunError, LimitError, ModelError, OutputError, RunAbortedError, RunError } from './errors/run-error';
export { FatalToolError, ToolFailure, ToolRetry, ToolTimeoutError } from './errors/tool-error';
export { ToolwrightError, isToolwrightError } from './errors/toolwright-error';
export { DecisionError, SessionBusyError, SessionError, SnapshotError } from './errors/session-error';
export { ModelNotConfiguredError, UsageError } from './errors/usage-error';
export type { DecisionFault } from './errors/session-error';
export { WiringError } from './errors/wiring-error';
export type { DefinitionFault } from './errors/definition-error';
export type { ModelErrorOptions, RunErrorOptions } from './errors/run-error';
export type { ErrorDetails, ToolwrightErrorOptions } from './errors/toolwright-error';
export type { WiringFault } from './errors/wiring-error';
