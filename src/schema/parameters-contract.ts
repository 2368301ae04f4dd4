import type { Report } from '../errors/option-check';
import { classNode, reportClassFaults, reportTwins } from './class-node';
import { ContractOf } from './type-contract';
import type { Contract } from './contract';
import type { ParameterDeclaration } from './declaration';
import { fieldNode } from './field-node';
import type { ObjectNode } from './type-node';

/**
 * The contract of a tool's parameters: decoding gives a plain object by parameter name, with defaults filled in.
 *
 * @param parameters what is known of each, in order; options beyond `ParamOptions` are faults
 * @param report is told each fault of the declaration; the contract can be shown, but not relied on, when there was one
 */
export function parametersContract(parameters: readonly ParameterDeclaration[], report: Report): Contract<Record<string, unknown>> {
  const node: ObjectNode = { kind: 'object', cls: undefined, name: 'Parameters', fields: [], validated: false };
  node.fields = parameters.map(({ name, where, reflected, options }) =>
    fieldNode(
      {
        name,
        property: name,
        place: { where, write: (said) => `\`@Param('${name}', { ${said} })\`` },
        options,
        reflected,
        optional: false,
        depth: 0,
        ofClass: classNode,
      },
      report,
    ),
  );
  reportTwins(node, report, parameters[0]?.where);
  reportClassFaults(node, report);
  return new ContractOf<Record<string, unknown>>(node);
}
