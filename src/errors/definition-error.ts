import { ToolwrightError } from './toolwright-error';

/** One thing that is wrong with a declaration. */
export interface DefinitionFault {
  /** Where: `Weather.forecast, parameter #1 \`days\``. */
  readonly where: string;
  /** What is wrong, and why. */
  readonly what: string;
  /** The line to write. */
  readonly fix: string;
}

/** Everything that is wrong with the tools of a class, at once. */
export class ToolDefinitionError extends ToolwrightError {
  static override readonly name: string = 'ToolDefinitionError';
  readonly faults: readonly DefinitionFault[];

  constructor(subject: string, faults: readonly DefinitionFault[], options: { readonly cause?: unknown } = {}) {
    super('TOOL_DEFINITION', definitionText(subject, faults), { ...options, details: { subject, faults } });
    this.faults = faults;
  }
}

function definitionText(subject: string, faults: readonly DefinitionFault[]): string {
  const head = `${subject} cannot be used as declared: ${faults.length === 1 ? 'one fault' : `${faults.length} faults`}.`;
  return `${head}\n${faultList(faults)}`;
}

/** Faults as the lines of an error: numbered, each with what to write. */
export function faultList(faults: readonly DefinitionFault[]): string {
  return faults.map(({ where, what, fix }, at) => `  ${at + 1}. ${where}: ${what}\n     Fix: ${fix}`).join('\n');
}
