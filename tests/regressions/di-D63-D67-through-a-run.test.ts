import 'reflect-metadata';
import { Service } from 'typedi';
import { Agent, AgentConfig, AgentRunner, Tool, Toolset, WiringError, type AgentClass } from 'toolwright';
import { say, scripted } from 'toolwright/testing';
import { Left } from '../fixtures/import-cycle/left';

interface Thing {
  readonly name: string;
}
@Service()
class Dep {}
abstract class Undecorated extends Agent {
  constructor(readonly dep: Dep) {
    super();
  }
}
@AgentConfig({})
class OfUndecorated extends Undecorated {
  @Tool('x') look(): void {}
}
@Toolset()
class Numbers {
  constructor(readonly first: number) {}
  @Tool('x') add(): void {}
}
@AgentConfig({ toolsets: [Numbers] })
class Erased extends Agent {
  constructor(
    readonly thing: Thing,
    readonly name: string,
  ) {
    super();
  }
}
@AgentConfig({})
class Imports extends Agent {
  constructor(readonly left: Left) {
    super();
  }
}

test.each<[string, AgentClass<Agent>, RegExp[]]>([
  ['D63: an import cycle', Imports, [/(Left|Right)\((right|left): \?\): parameter #0/, /import cycle|import each other/]],
  ['D64: an undecorated base', OfUndecorated, [/OfUndecorated\(dep: \?\)/, /put `@Service\(\)` on `Undecorated`/]],
  [
    'D67: interfaces and primitives, of all classes',
    Erased,
    [/Erased\(thing: \?, name: \?\): parameter #0/, /parameter #1 `name`/, /Numbers\(first: \?\): parameter #0/],
  ],
])('%s is told whole, before the model is asked', async (_, agent, said) => {
  const model = scripted([say('Never.')], { strict: false });
  const error: unknown = await new AgentRunner({ model }).run(agent, 'Go').catch((thrown: unknown) => thrown);
  expect(WiringError.is(error)).toBe(true);
  for (const words of said) expect((error as Error).message).toMatch(words);
  expect(model.requests).toEqual([]);
});
