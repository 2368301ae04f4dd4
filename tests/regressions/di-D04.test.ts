import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { generateArguments } from 'toolwright/testing';

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

// The generated-data model gave a one-letter text for formats, and a least length made it forget the format.
describe('di D04: generated data keeps formats, also beside a length', () => {
  it.each([
    [{ type: 'string', format: 'date-time' }],
    [{ type: 'string', format: 'time' }],
    [{ type: 'string', format: 'uuid' }],
    [{ type: 'string', format: 'uri', minLength: 1 }],
    [{ type: 'string', format: 'uri', minLength: 40 }],
  ])('%j', (schema) => {
    const validate = ajv.compile(schema);
    for (let seed = 0; seed < 200; seed++)
      expect([generateArguments(schema, seed), validate(generateArguments(schema, seed))]).toEqual([expect.any(String), true]);
  });
});
