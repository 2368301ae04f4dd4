import { aBoolean, aPositiveCount, isRecord, texts, type OptionRule, type OptionRules } from '../../errors/option-check';
import { checkedRoot, type Root } from '../files/file-settings';

/** What `ShellTools.at(root, …)` takes. */
export interface ShellOptions {
  /** The only programs that may be run, by name; any when not given. */
  readonly programs?: readonly string[];
  /** Whether `sh`, `bash`, `powershell` and their like may be run. `false` by default: commands are a program and its arguments. */
  readonly shell?: boolean;
  /** Names of further variables of this process that commands are given, or variables with their values. */
  readonly env?: readonly string[] | Readonly<Record<string, string>>;
  /** The longest time that a command may ask for, in seconds, at most 600. 600 by default. */
  readonly maxSeconds?: number;
}

export interface ShellSettings {
  readonly root: Root;
  readonly programs: ReadonlySet<string> | undefined;
  readonly shell: boolean;
  readonly env: readonly string[] | Readonly<Record<string, string>>;
  readonly maxSeconds: number;
}

const aBoundedCount: OptionRule = {
  expected: 'a whole number of seconds, from 1 to 600',
  example: '120',
  accepts: (value) => aPositiveCount.accepts(value) && (value as number) <= 600,
};

const variables: OptionRule = {
  expected: 'names of variables, or an object of names and texts',
  example: "['GIT_AUTHOR_NAME']",
  accepts: (value) => texts.accepts(value) || (isRecord(value) && Object.values(value).every((text) => typeof text === 'string')),
};

export const SHELL_RULES: OptionRules = new Map<string, OptionRule>([
  ['programs', texts],
  ['shell', aBoolean],
  ['env', variables],
  ['maxSeconds', aBoundedCount],
]);

export function shellSettings(root: Root, options: ShellOptions): ShellSettings {
  const { env = [] } = options;
  return {
    root: checkedRoot(root, 'ShellTools.at'),
    programs: options.programs === undefined ? undefined : new Set(options.programs),
    shell: options.shell ?? false,
    env: Array.isArray(env) ? [...(env as readonly string[])] : { ...env },
    maxSeconds: options.maxSeconds ?? 600,
  };
}

/** What programs need to work at all, and what tells them where they are. No keys, no tokens. */
const PASSED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'],
  ...['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'ProgramFiles'],
];

/** The environment of a command: by allowlist, so that secrets of the host's process stay with it. */
export function commandEnvironment({ env }: Pick<ShellSettings, 'env'>): Record<string, string> {
  const given = Array.isArray(env) ? undefined : (env as Readonly<Record<string, string>>);
  const names = Array.isArray(env) ? [...PASSED, ...(env as readonly string[])] : PASSED;
  const passed = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // Nobody looks at the output as on a screen.
  return { ...Object.fromEntries(passed), TERM: 'dumb', ...given };
}

const SHELLS = /^(?:(?:r?ba|da|z|k|a|c|tc|fi)?sh|busybox|cmd|powershell|pwsh)(?:\.exe)?$/i;

export function isShell(program: string): boolean {
  return SHELLS.test(program.split(/[\\/]/).at(-1) ?? '');
}
