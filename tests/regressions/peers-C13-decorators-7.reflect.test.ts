import 'reflect-metadata';
import { Agent, Param, Tool, ToolDefinitionError, defaultRegistry } from 'toolwright';

interface Query {
  readonly text: string;
}

class Asks extends Agent {
  @Tool('Searches.')
  // @ts-expect-error the compiler says it too
  search(@Param('query') query: Query) {
    return query.text;
  }

  @Tool('Chooses.')
  // @ts-expect-error the compiler says it too
  choose(@Param('mode') mode: 'a' | 'b') {
    return mode;
  }

  @Tool('Counts.')
  // @ts-expect-error the compiler says it too
  count(@Param('by') by: number | string) {
    return by;
  }
}

function faults(): readonly { readonly where: string; readonly what: string; readonly fix: string }[] {
  try {
    defaultRegistry.toolsOf(Asks);
  } catch (error) {
    if (ToolDefinitionError.is(error)) return error.faults;
  }
  throw new Error('No fault was found.');
}

test('C13: an interface in a decorated signature is refused, with the reason and what to write', () => {
  expect(faults()).toContainEqual({
    where: expect.stringContaining('`query`') as string,
    what: expect.stringContaining('interface') as string,
    fix: expect.stringContaining('type:') as string,
  });
});

test('C13, decorators 7: a union is never guessed from what is left of it', () => {
  expect(faults().map(({ where }) => where)).toContainEqual(expect.stringContaining('`by`'));
});
