import { Agent, AgentConfig, Args, Field, Param, Tool, ToolContext, isToolClass, toolMetadataOf, toolNameOf } from 'toolwright';
import type { ToolClass } from 'toolwright';
import { ToolRegistry } from '../../src/tools/tool-registry';

const context = { callId: 'c1' } as ToolContext;

class SearchDatabase {
  static metadata() {
    return { name: 'search', description: 'Searches', annotations: { readOnly: true } };
  }
  execute(@Param('query', 'What to find') query: string, context: ToolContext): string {
    return query + context.callId;
  }
}
class Query {
  @Field('Words') q!: string;
}
class SearchByDto {
  @Tool({ description: 'By DTO', timeout: 5 }) execute(@Args() query: Query): string {
    return query.q;
  }
}
class RawTool {
  static metadata() {
    return { description: 'Raw', parameters: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } };
  }
  execute(args: { x: number }, context: ToolContext): unknown {
    return [args.x, context.callId];
  }
}
class NoArguments {
  execute(): string {
    return 'done';
  }
}

test('a class with `execute` is one tool: decorated parameters, a DTO, or raw parameters', () => {
  @AgentConfig({ tools: [SearchDatabase, SearchByDto, RawTool, NoArguments] })
  class Tools extends Agent {}
  const [search, byDto, raw, none] = new ToolRegistry().toolsOf(Tools);
  expect([search?.name, byDto?.name, raw?.name, none?.name]).toEqual(['search', 'search_by_dto', 'raw_tool', 'no_arguments']);
  expect(search?.behaviour).toMatchObject({ annotations: { readOnly: true }, retries: 1 });
  expect(search?.call(new SearchDatabase(), { query: 'q' }, context)).toBe('qc1');
  expect(byDto).toMatchObject({ description: 'By DTO', behaviour: { timeout: 5 }, home: SearchByDto });
  expect(Object.keys(byDto?.contract.schema.properties as object)).toEqual(['q']);
  expect(raw?.contract.schema).toMatchObject({ properties: { x: { type: 'number' } }, required: ['x'] });
  expect(raw?.call(new RawTool(), { x: 3 }, context)).toEqual([3, 'c1']);
  expect(none?.warnings).toEqual([expect.stringContaining('no description')]);
});

test('what a tool class says of itself can be read', () => {
  expect(isToolClass(SearchDatabase)).toBe(true);
  for (const other of [class {}, () => 1, { execute() {} }, null, SearchDatabase.prototype]) expect(isToolClass(other)).toBe(false);
  expect(toolNameOf(NoArguments)).toBe('no_arguments');
  expect(toolMetadataOf(SearchDatabase)).toEqual({
    name: 'search',
    label: 'Search',
    description: 'Searches',
    parameters: expect.objectContaining({ type: 'object' }) as unknown,
    annotations: { readOnly: true },
    tags: [],
  });
});

const brokenMetadata = (metadata: unknown): ToolClass =>
  class Broken {
    static metadata = metadata;
    execute(): void {}
  };

test.each<[string, () => unknown, RegExp]>([
  ['no execute', () => class Nothing {}, /Nothing: it is listed as a tool, but has no method `execute`/],
  [
    'more tools than one',
    () => {
      class Many {
        @Tool('x') execute(): void {}
        @Tool('y') other(): void {}
      }
      return Many;
    },
    /Many: it is listed as one tool, but it has more: other/,
  ],
  [
    'metadata that throws',
    () =>
      brokenMetadata(() => {
        throw new Error('no');
      }),
    /Broken\.metadata\(\): it threw "no"/,
  ],
  ['metadata that is a promise', () => brokenMetadata(async () => ({})), /must return an object of options, at once/],
  ['metadata that is a list', () => brokenMetadata(() => []), /must return an object of options/],
  ['an unknown option', () => brokenMetadata(() => ({ descripton: 'x' })), /`descripton`\. Did you mean `description`/],
  ['parameters that are a text', () => brokenMetadata(() => ({ parameters: 'x' })), /they must be JSON Schema/],
  [
    'metadata on the instance',
    () =>
      class Late {
        metadata(): object {
          return {};
        }
        execute(): void {}
      },
    /a method of the instance.*\n.*static metadata/,
  ],
  [
    'parameters both ways',
    () => {
      class Twice {
        static metadata() {
          return { parameters: { type: 'object' } };
        }
        execute(@Param('a', 'A') a: string): string {
          return a;
        }
      }
      return Twice;
    },
    /decorated too, and only one of the two can count/,
  ],
  [
    'an undecorated parameter',
    () =>
      class Unmarked {
        execute(a: string): string {
          return a;
        }
      },
    /Unmarked\.execute, parameter #0 `a`|parameter #0: it carries no decorator/,
  ],
  ['a text', () => 'search', /"search" is no tool/],
])('%s is told', (_, make, message) => {
  expect(() => new ToolRegistry().toolOf(make())).toThrow(message);
});
