export { aiSdkModel, type AiSdkModelOptions } from './ai-sdk-model';
export type { SdkLanguageModel, SdkMetadata } from './sdk-model';
