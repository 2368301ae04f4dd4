/** What is used of a language model of the AI SDK, whichever version of its specification it has. */
export interface SdkLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** Typed as anything, so that a model of every version fits: its options differ from version to version. */
  doStream(options: never): PromiseLike<{ readonly stream: unknown }>;
}

/** The versions that are spoken: those of the SDK's majors 5, 6 and 7. */
export type SdkVersion = 'v2' | 'v3' | 'v4';

/** Options or metadata by provider. */
export type SdkMetadata = { readonly [provider: string]: unknown };

export type SdkContentPart =
  | { readonly type: 'text'; readonly text: string; readonly providerOptions?: SdkMetadata }
  | { readonly type: 'reasoning'; readonly text: string; readonly providerOptions?: SdkMetadata }
  | { readonly type: 'file'; readonly filename?: string; readonly data: unknown; readonly mediaType: string }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly providerOptions?: SdkMetadata;
    }
  | { readonly type: 'tool-result'; readonly toolCallId: string; readonly toolName: string; readonly output: object };

/** One message of a prompt. */
export type SdkMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly SdkContentPart[] };
