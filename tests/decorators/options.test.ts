import { Agent, AgentConfig, Field, Param, Tool, Toolset } from 'toolwright';
import type { ToolOptions, ToolsetOptions } from 'toolwright';
import { ownFacts } from '../../src/metadata/facts';

test('one frozen options object may be shared between two methods, and is left as it was', () => {
  const shared: ToolOptions = Object.freeze({ description: 'Both', annotations: Object.freeze({ readOnly: true }) });
  class Pair {
    @Tool(shared) one() {}
    @Tool(shared) two() {}
  }
  expect(ownFacts(Pair).tools).toEqual([
    { method: 'one', options: shared },
    { method: 'two', options: shared },
  ]);
  expect(ownFacts(Pair).tools[0]!.options).not.toBe(shared);
  expect(shared).toEqual({ description: 'Both', annotations: { readOnly: true } });
});

test('changing an options object afterwards changes no tool', () => {
  const tool: { description: string } = { description: 'before' };
  const parameter: { description: string } = { description: 'before' };
  const config: { name: string } = { name: 'before' };
  const field: { description: string } = { description: 'before' };
  @AgentConfig(config)
  class Stable extends Agent {
    @Field(field) property!: string;
    @Tool(tool) run(@Param('a', parameter) a: string) {
      return a;
    }
  }
  tool.description = parameter.description = config.name = field.description = 'after';
  const facts = ownFacts(Stable);
  expect(facts.tools[0]!.options).toEqual({ description: 'before' });
  expect(facts.parameters[0]!.options).toEqual({ description: 'before' });
  expect(facts.agent).toEqual({ name: 'before' });
  expect(facts.fields[0]!.options).toEqual({ description: 'before' });
});

test.each([null, 5, true, [], () => 'x', Symbol('x')])(
  'options that are no options (%p) are a fault of the class, not a crash',
  (written) => {
    const options = written as unknown as { description: string };
    class Odd {
      @Tool(options) run(@Param('a', options) a: string) {
        return a;
      }
    }
    Toolset(options as ToolsetOptions)(Odd);
    const { tools, misplaced } = ownFacts(Odd);
    expect(tools).toEqual([{ method: 'run', options: {} }]);
    expect(misplaced.map((fault) => fault.where)).toEqual(['Odd.run, parameter #0', 'Odd.run', 'Odd']);
    expect(misplaced[1]!.what).toBe('@Tool() was given neither a text nor an object of options.');
  },
);

test('a name that is no text is a fault, and the parameter goes unnamed', () => {
  class Odd {
    @Tool('x') run(@Param({ type: String } as unknown as 'a') a: string) {
      return a;
    }
  }
  expect(ownFacts(Odd).parameters[0]).not.toHaveProperty('name');
  expect(ownFacts(Odd).misplaced[0]).toMatchObject({ where: 'Odd.run, parameter #0', fix: expect.stringContaining("@Param('name'") });
});

test('keys named like parts of every object are options like any other, and reach no prototype', () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as ToolOptions;
  class Odd {
    @Tool(hostile) run() {}
  }
  const { options } = ownFacts(Odd).tools[0]!;
  expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
  expect(Object.keys(options)).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
