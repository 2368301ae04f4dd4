import type { TypeSpec } from '../types/type-spec';
import { defineTool } from './define-tool';
import type { ArgsOf, DefinedTool, ExternalToolOptions, ToolShape } from './tool-shape';

/**
 * A tool as a value that is declared here and executed elsewhere: by a browser, another service, a person. A call pauses the run until
 * `resume` brings its result.
 *
 * @throws ToolDefinitionError with everything that is wrong with the options
 * @example externalTool({ name: 'confirm', description: 'Asks the user to confirm.', parameters: { text: 'What to confirm' } })
 */
// Without parameters the shape is empty, which only `{}` says.
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export function externalTool<const S extends ToolShape | TypeSpec = {}, Deps = unknown>(
  options: ExternalToolOptions<S, Deps>,
): DefinedTool<ArgsOf<S>, Deps> {
  const neverEntered = (): never => {
    throw new Error(`\`${options.name}\` is executed elsewhere.`);
  };
  return defineTool({ ...options, external: true, execute: neverEntered });
}
