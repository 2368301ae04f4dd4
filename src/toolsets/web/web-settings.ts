import { aBoolean, aPositiveCount, texts, type OptionRule, type OptionRules } from '../../errors/option-check';
import type { ToolPredicate } from '../../tools/tool-options';
import { isListed } from './host-list';
import { parseAddress } from './parse-address';
import { stoodInConversation } from './stood-in-conversation';

/** What `WebTools.with(…)` takes. */
export interface WebOptions {
  /** Hosts that may be fetched without asking although untrusted content is in the conversation: `docs.example.com`, `*.example.com`, with or without `:port`. */
  readonly allowedHosts?: readonly string[];
  /** Whether only those may be fetched at all. `false` by default. */
  readonly onlyAllowedHosts?: boolean;
  /** Hosts that may be fetched although they are not on the public internet, such as `localhost:8080`. */
  readonly privateHosts?: readonly string[];
  /** The most that is read of a page, in bytes, after decompression. 2 000 000 by default. */
  readonly maxBytes?: number;
}

export type WebSettings = Required<WebOptions>;

export const WEB_RULES: OptionRules = new Map<string, OptionRule>([
  ['allowedHosts', texts],
  ['onlyAllowedHosts', aBoolean],
  ['privateHosts', texts],
  ['maxBytes', aPositiveCount],
]);

export function webSettings(options: WebOptions): WebSettings {
  return {
    allowedHosts: [...(options.allowedHosts ?? [])],
    onlyAllowedHosts: options.onlyAllowedHosts ?? false,
    privateHosts: [...(options.privateHosts ?? [])],
    maxBytes: options.maxBytes ?? 2_000_000,
  };
}

/** Which calls can carry nothing to anybody who should not have it. */
export function exemption({ allowedHosts }: WebSettings): ToolPredicate {
  return ({ url }: { readonly url: string }, context) => {
    const parsed = parseAddress(url);
    return parsed !== undefined && (isListed(allowedHosts, parsed) || stoodInConversation(url, context.messages));
  };
}
