import 'reflect-metadata';
import { Agent, AgentConfig, Args, Field, Tool, ToolDefinitionError, Toolset, defaultRegistry } from 'toolwright';

const { First, Second } = (() => {
  const forecast = () => {
    class Weather {
      @Field() x!: string;
      @Field({ optional: true }) y?: number;
      @Field({ default: 3 }) z: number = 3;
    }
    return Weather;
  };
  return { First: forecast(), Second: class Weather extends forecast() {} };
})();

class Inner {
  @Field() name!: string;
}

class Outer {
  @Field({ type: Inner }) one!: Inner;
  @Field({ type: () => Outer, optional: true }) again?: Outer;
}

@AgentConfig({})
class Asks extends Agent {
  @Tool('First.') first(@Args(() => First) args: InstanceType<typeof First>) {
    return args;
  }
  @Tool('Second.') second(@Args(() => Second) args: InstanceType<typeof Second>) {
    return args;
  }
  @Tool('Nested.') nested(@Args() args: Outer) {
    return args;
  }
}

const schemas = () => defaultRegistry.toolsOf(Asks).map((tool) => tool.contract.schema as Record<string, Record<string, unknown>>);

test('D59: a field is in the schema whether or not it has an initialiser', () => {
  const [first] = schemas();
  expect(Object.keys(first!['properties']!)).toEqual(['x', 'y', 'z']);
  expect(first!['required']).toEqual(['x']);
});

test('D59, decorators 47: two classes of one name are two; tools of one name name both owners', () => {
  const [first, second] = schemas();
  expect(second).toEqual(first);
  const toolset = () => {
    @Toolset()
    class Weather {
      @Tool('Now.') now() {
        return 1;
      }
    }
    return Weather;
  };
  @AgentConfig({ toolsets: [toolset(), toolset()] })
  class Both extends Agent {}
  expect(() => defaultRegistry.toolsOf(Both)).toThrow(ToolDefinitionError);
  expect(() => defaultRegistry.toolsOf(Both)).toThrow(/`now`.*Weather\.now and Weather\.now/);
});

test('decorators 48: every reference of a schema leads to a definition in it', () => {
  for (const schema of schemas()) {
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name!);
    for (const name of references) expect(schema['$defs']).toHaveProperty(name);
  }
  expect(JSON.stringify(schemas()[2])).toContain('$ref');
});
