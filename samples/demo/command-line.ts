import { readdirSync, realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run demo -- [question] [--root <directory>]

  question   what to ask; "Which file defines AgentRunner?" when none is given
  --root     the directory to ask about; the working directory when not given
  --help     this text

Environment: OPENAI_API_KEY or OPENAI_BASE_URL for a real model, and TOOLWRIGHT_MODEL for its name
('gpt-5-mini', or with a provider: 'ollama:qwen3:8b'). Without any of them the embedded offline model answers.`;

/** What was asked on the command line, or what is wrong with it. */
export type Command =
  | { readonly kind: 'ask'; readonly question: string; readonly root: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly why: string };

export function readCommand(args: readonly string[]): Command {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { root: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    return { kind: 'wrong', why: (error as Error).message };
  }
  if (parsed.values.help === true) return { kind: 'help' };
  const question = parsed.positionals.join(' ').trim() || 'Which file defines AgentRunner?';
  const root = parsed.values.root ?? '.';
  try {
    readdirSync(root);
    return { kind: 'ask', question, root: realpathSync(root) };
  } catch (error) {
    return { kind: 'wrong', why: `${JSON.stringify(root)} is no directory that can be read (${(error as NodeJS.ErrnoException).code}).` };
  }
}

/** The model that the environment asks for, as a model string. */
export function modelFrom(environment: { readonly [name: string]: string | undefined }): string {
  const set = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const name = set('TOOLWRIGHT_MODEL');
  if (name?.includes(':') === true) return name;
  const real = set('OPENAI_API_KEY') !== undefined || set('OPENAI_BASE_URL') !== undefined || name !== undefined;
  return real ? `openai:${name ?? 'gpt-5-mini'}` : 'offline:';
}
