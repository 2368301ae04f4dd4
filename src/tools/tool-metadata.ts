import type { JsonSchema } from '../types/json';
import type { ToolAnnotations } from './tool-options';
import type { ToolClass } from './tool-ref';
import { defaultRegistry } from './tool-registry';

/** What a tool class says of itself. */
export interface ToolMetadata {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** JSON Schema, plain dialect. */
  readonly parameters: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly tags: readonly string[];
}

/**
 * What the model and people are told of a class that is one tool. @throws ToolDefinitionError when it is not one
 * @example toolMetadataOf(SearchDatabase).parameters
 */
export function toolMetadataOf(cls: ToolClass): ToolMetadata {
  const { name, label, description, contract, behaviour } = defaultRegistry.toolOf(cls);
  return { name, label, description, parameters: contract.schema, annotations: behaviour.annotations, tags: behaviour.tags };
}

/**
 * The name under which the model knows a class that is one tool. @throws ToolDefinitionError when it is not one
 * @example toolNameOf(SearchDatabase) // 'search_database'
 */
export function toolNameOf(cls: ToolClass): string {
  return defaultRegistry.toolOf(cls).name;
}
