import type { Trust } from '../types/outcome';
import type { ToolContext } from './tool-context';

/** MCP's words for what a tool does. Unset means unknown: treated as changing things, not destructive, not idempotent, open. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnly?: boolean;
  /** What it changes may be lost. */
  readonly destructive?: boolean;
  /** Once more with the same arguments changes nothing more. */
  readonly idempotent?: boolean;
  /** It reaches beyond the host: the internet, other people. */
  readonly openWorld?: boolean;
}

/** A question about one call, by its decoded arguments and its context. */
// The arguments' names are `@Param` names, which types cannot see: `any` lets the author annotate them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ToolPredicate = (args: any, context: ToolContext<any>) => boolean | Promise<boolean>;

/** How a tool is shown and run. Every option has a default; an unknown option is an error. */
export interface ToolOptions {
  /** Letters, digits, underscore, hyphen; at most 64. The method's name in snake_case by default. */
  readonly name?: string;
  /** For people; the name in words by default. */
  readonly label?: string;
  /** What the model reads: what the tool does, and when to use it. The method's name in words by default, with a warning. */
  readonly description?: string;
  /** Milliseconds a call may take; `null` for no bound. 30 000 by default. */
  readonly timeout?: number | null;
  /** Automatic re-executions after a failure. 1 when `readOnly` or `idempotent`, else 0. */
  readonly retries?: number;
  /** How often in a row the model may correct its arguments. 3 by default. */
  readonly maxRepairs?: number;
  /** Whether a person is asked before a call, or a predicate of its arguments and context; one that throws means yes. `false` by default. */
  readonly requiresApproval?: boolean | ToolPredicate;
  /** What is known of its effects; from it follow `retries`, approval after untrusted content, and caching. */
  readonly annotations?: ToolAnnotations;
  /** Nothing of the same batch runs beside it. */
  readonly sequential?: boolean;
  /** Calls with the same key run one after the other, across the runner's runs. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly lock?: (args: any) => string;
  /** Never cut off half-way: an abort waits until it settles or its own `timeout`, which it must have. */
  readonly atomic?: boolean;
  /** Repeats are its nature: exempt from the loop guard. */
  readonly polling?: boolean;
  /** Its result is the run's answer. */
  readonly returnDirect?: boolean;
  /** Declared here and executed elsewhere: a call pauses the run until `resume` brings its result. The method is never entered. */
  readonly external?: boolean;
  /** `false` removes an inherited tool; a predicate is asked at run start and again at the call. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly enabled?: boolean | ((context: any) => boolean | Promise<boolean>);
  /** Executions per run. */
  readonly maxCalls?: number;
  /** At most so many `calls` (1 to 10 000) `per` so many milliseconds, across the runs of a runner; what is over it is refused. */
  readonly rateLimit?: { readonly calls: number; readonly per: number };
  /**
   * After so many `failures` in a row (unexpected errors and timeouts, not what the tool says on purpose), calls are refused for `resetAfter`
   * milliseconds, across the runs of a runner; then one is let through to try.
   */
  readonly breaker?: { readonly failures: number; readonly resetAfter: number };
  /** Keeps results of a read-only tool for equal arguments. */
  readonly cache?: { readonly ttl: number };
  /** Trust of its results; `trusted` by default for the host's own tools. */
  readonly trust?: Trust;
  /**
   * Says of a call that foreign words in the conversation could do nothing with it: it carries nothing out and changes nothing outside the
   * run. Such a call passes the taint gate without being asked about. One that throws exempts nothing.
   */
  readonly taintExempt?: ToolPredicate;
  /** For policies (`{ tag: … }`) and filters; never shown to the model. */
  readonly tags?: readonly string[];
  /** Whether to offer the strict schema dialect; `true` by default where the parameters can be said in it. */
  readonly strict?: boolean;
  /** The longest content the model is given, in UTF-16 code units. 20 000 by default. */
  readonly maxResultChars?: number;
}

/** Options after reading: checked, with every default in place. */
export type ToolBehaviour = Required<
  Omit<ToolOptions, 'name' | 'label' | 'description' | 'lock' | 'maxCalls' | 'rateLimit' | 'breaker' | 'cache' | 'enabled' | 'taintExempt'>
> &
  Pick<ToolOptions, 'lock' | 'maxCalls' | 'rateLimit' | 'breaker' | 'cache' | 'taintExempt'> & {
    readonly enabled: NonNullable<ToolOptions['enabled']>;
  };
