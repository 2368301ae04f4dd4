import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsDateString, IsEnum, IsOptional, IsString, IsUppercase, MinLength, ValidateNested } from 'class-validator';
import { Agent, AgentConfig, AgentRunner, Args, Field, Tool, arrayOf, defaultRegistry, nullable, recordOf } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';

class Child {
  @Field() @IsString() name!: string;
}

enum Level {
  Low,
  High,
}

abstract class Animal {
  @Field({ enum: ['cat', 'dog'] }) kind!: 'cat' | 'dog';
}
class Cat extends Animal {
  @Field() lives!: number;
}
class Dog extends Animal {
  @Field() barks!: boolean;
}

class Parent {
  @Field() @MinLength(5) code!: string;
}

class Everything extends Parent {
  @IsUppercase() declare code: string;
  @Field({ type: arrayOf(Child) }) @ValidateNested({ each: true }) @Type(() => Child) kids!: Child[];
  @Field({ optional: true }) flag?: boolean;
  @Field({ optional: true }) @ValidateNested() @Type(() => Child) one?: Child;
  @Field({ type: recordOf(Child), optional: true }) byName?: Record<string, Child>;
  @Field({ type: arrayOf(String), optional: true }) @IsString({ each: true }) tags?: string[];
  @Field({ optional: true }) @IsOptional() n?: number;
  @Field({ type: nullable(String), optional: true }) note?: string | null;
  @Field({ enum: Level, optional: true }) @IsEnum(Level) level?: Level;
  @Field({ optional: true }) @IsDateString() day?: string;
  @Type(() => Animal, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'cat', value: Cat },
        { name: 'dog', value: Dog },
      ],
    },
  })
  @Field({ optional: true })
  @ValidateNested()
  pet?: Cat | Dog;
}

let received: Everything | undefined;

@AgentConfig({})
class Registrar extends Agent {
  @Tool('Registers.') register(@Args() args: Everything) {
    received = args;
    return 'registered';
  }
}

const SOUND = { code: 'ABCDE', kids: [] };

async function sent(args: object | string) {
  received = undefined;
  const model = scripted([callTool('register', typeof args === 'string' ? args : { ...SOUND, ...args }), say('Done.')]);
  const { toolCalls, messages } = await new AgentRunner({ model }).run(Registrar, 'Go');
  const [{ outcome, content } = { outcome: '', content: [] }] = toolCalls;
  const [said] = content;
  return { outcome, text: said?.type === 'text' ? said.text : '', messages };
}

test.each([
  ['an empty object', '{}', /kids: expected .*got nothing/],
  ['a text for a list', { kids: 'x' }, /kids: expected an array/],
  ['a wrong item', { kids: [{ name: 1 }] }, /kids\[0\]\.name: expected/],
  ['an unknown key', { evil: 1 }, /evil: expected no such key/],
  ['31: a list for an object', { one: [{ name: 'Ada' }] }, /one: expected an object/],
  ['35: a text where each item is a text', { tags: 'a' }, /tags: expected an array/],
  ["37: a numeric enum's member name", { level: 'Low' }, /level: expected/],
  ['39: a day that no calendar has', { day: '2024-02-30' }, /day: expected/],
  ["40: the child's check", { code: 'abcde' }, /code: expected/],
  ['32: a wrong value of a record', { byName: { ada: { name: 1 } } }, /byName\.ada\.name: expected/],
])('D69: %s is refused, by path', async (_, args, text) => {
  const { outcome, text: said } = await sent(args);
  expect(outcome).toBe('invalid');
  expect(said).toMatch(text);
  expect(received).toBeUndefined();
});

test('D69: a quoted boolean is what it says, never simply true', async () => {
  await sent({ flag: 'false' });
  expect(received).toMatchObject({ flag: false });
});

test('32: a record keeps its values, as instances', async () => {
  await sent({ byName: { ada: { name: 'Ada' } } });
  expect(received!.byName!['ada']).toBeInstanceOf(Child);
});

test('33: keys that name a prototype reach none', async () => {
  const { outcome } = await sent('{"code":"ABCDE","kids":[],"__proto__":{"p":1},"constructor":{"prototype":{"p":1}}}');
  expect(outcome).toBe('invalid');
  expect(({} as { p?: number }).p).toBeUndefined();
});

test('34: the key that told the subtypes apart stays, in the instance and in the transcript', async () => {
  const { messages } = await sent({ pet: { kind: 'cat', lives: 9 } });
  expect(received!.pet).toBeInstanceOf(Cat);
  expect(received!.pet).toMatchObject({ kind: 'cat', lives: 9 });
  expect(JSON.stringify(messages)).toContain('{\\"kind\\":\\"cat\\",\\"lives\\":9}');
});

test('36: null leaves out what is optional, and is a value for what is nullable', async () => {
  await sent({ n: null, note: null });
  expect(received).toMatchObject({ note: null });
  expect(received!.n).toBeUndefined();
});

test('40: of a property with checks of its own the schema and the check leave out those of its base alike', async () => {
  const { properties } = defaultRegistry.toolsOf(Registrar)[0]!.contract.schema as { properties: Record<string, object> };
  expect(properties['code']).not.toHaveProperty('minLength');
  expect((await sent({ code: 'AB' })).outcome).toBe('ok');
});

test('46, 57: the schema says numbers for a numeric enum, and null as a type', () => {
  const { properties } = defaultRegistry.toolsOf(Registrar)[0]!.contract.schema as { properties: Record<string, object> };
  expect(properties['level']).toMatchObject({ enum: [0, 1] });
  expect(properties['note']).toMatchObject({ type: ['string', 'null'] });
  expect(JSON.stringify(properties)).not.toMatch(/"nullable"|"Low"/);
});
