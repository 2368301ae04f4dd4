import type * as ParametersContract from '../schema/parameters-contract';
import type * as TypeContract from '../schema/type-contract';

// The schema builder is loaded with the first contract: importing the decorators takes none of it.
let parameters: typeof ParametersContract | undefined;
let types: typeof TypeContract | undefined;

export const parametersContract: typeof ParametersContract.parametersContract = (declared, report) => {
  parameters ??= require('../schema/parameters-contract') as typeof ParametersContract;
  return parameters.parametersContract(declared, report);
};

export const argumentsContract: typeof TypeContract.argumentsContract = (spec, report, place) => {
  types ??= require('../schema/type-contract') as typeof TypeContract;
  return types.argumentsContract(spec, report, place);
};
