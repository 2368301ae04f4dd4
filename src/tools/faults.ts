import { ToolDefinitionError, type DefinitionFault } from '../errors/definition-error';
import type { Report } from '../errors/option-check';

/** Runs one step of a definition; what it finds wrong joins the others, and anything else that it throws passes. */
export function gathering<T>(report: Report, step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!ToolDefinitionError.is(error)) throw error;
    for (const fault of error.faults) report(fault);
    return undefined;
  }
}

/** Faults found so far; told twice, a fault counts once. */
export class Faults {
  private readonly byText = new Map<string, DefinitionFault>();

  readonly report: Report = (fault) => {
    this.byText.set(`${fault.where}\n${fault.what}`, fault);
  };

  /** @throws ToolDefinitionError with all faults, when there are any */
  throwIfAny(subject: string): void {
    if (this.byText.size > 0) throw new ToolDefinitionError(subject, [...this.byText.values()]);
  }
}
