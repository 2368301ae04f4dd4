import 'reflect-metadata';
import { Expose, Exclude, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
  registerDecorator,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { append } from '../../src/metadata/facts';
import { typeFaultsOf, typeOf, refusals, valueOf } from './contracts';

/** What `@Field` records; the decorator itself is tested elsewhere. */
const Field =
  (options: Record<string, unknown> = {}): PropertyDecorator =>
  (target, property) =>
    append(target.constructor, 'fields', { property: String(property), options });

enum Level {
  Low,
  High,
}

class Point {
  @Field() x!: number;
  @Field() y!: number;
}

class Move {
  @Field({ description: 'Where from' }) from!: Point;
  @Field({ optional: true }) speed?: number;
  @Field({ default: true }) careful: boolean = true;
}

test('a class with @Field becomes its schema by reflection, in the order of its properties', () => {
  expect(typeOf(Move).schema).toEqual({
    type: 'object',
    properties: {
      from: {
        type: 'object',
        properties: { x: { type: 'number' }, y: { type: 'number' } },
        required: ['x', 'y'],
        additionalProperties: false,
        description: 'Where from',
      },
      speed: { type: 'number' },
      careful: { type: 'boolean', default: true },
    },
    required: ['from'],
    additionalProperties: false,
  });
});

test('decoding gives instances at every depth, with defaults', () => {
  const move = valueOf(typeOf<Move>(Move).decode({ from: { x: 1, y: '2' }, speed: null }));
  expect(move).toBeInstanceOf(Move);
  expect(move.from).toBeInstanceOf(Point);
  expect(move).toEqual(Object.assign(new Move(), { from: Object.assign(new Point(), { x: 1, y: 2 }), careful: true }));
});

test("the model's input is never changed and never aliased", () => {
  const input = Object.freeze({ from: Object.freeze({ x: 1, y: 2 }) });
  expect(valueOf(typeOf<Move>(Move).decode(input)).from).not.toBe(input.from);
});

class Person {
  @IsString() @Length(1, 20) name!: string;
  @IsInt() @Min(0) @Max(150) age!: number;
  @IsOptional() @IsEmail() email?: string;
  @IsEnum(Level) level!: Level;
  @IsIn(['a', 'b']) group!: string;
  @IsArray() @IsString({ each: true }) @MinLength(2, { each: true }) @ArrayMinSize(1) @ArrayMaxSize(3) @ArrayUnique() tags!: string[];
  @IsBoolean() active!: boolean;
  @Matches(/^[A-Z]{2}$/) code!: string;
}

const PERSON = { name: 'Ada', age: 36, level: 1, group: 'a', tags: ['xx'], active: true, code: 'NO' };

test("class-validator's constraints are in the schema", () => {
  expect(typeOf(Person).schema).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 20 },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      email: { type: 'string', format: 'email' },
      level: { type: 'integer', enum: [0, 1] },
      group: { type: 'string', enum: ['a', 'b'] },
      tags: { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 1, maxItems: 3, uniqueItems: true },
      active: { type: 'boolean' },
      code: { type: 'string', pattern: '^[A-Z]{2}$' },
    },
    required: ['name', 'age', 'level', 'group', 'tags', 'active', 'code'],
    additionalProperties: false,
  });
});

test('a fitting value becomes an instance', async () => {
  const decoded = await typeOf<Person>(Person).decode(PERSON);
  expect(decoded).toMatchObject({ ok: true, value: PERSON });
  expect(decoded.ok && decoded.value).toBeInstanceOf(Person);
});

test.each([
  ['a member name of a numeric enum', { level: 'Low' }, 'level'],
  ['a text where a list is due', { tags: 'xx' }, 'tags'],
  ['a list with a faulty item', { tags: ['xx', 'y'] }, 'tags[1]'],
  ['a list with twins', { tags: ['xx', 'xx'] }, 'tags'],
  ['a number out of range', { age: 151 }, 'age'],
  ['an unknown key', { agee: 1 }, 'agee'],
])('%s is refused at its path', async (_what, change, path) => {
  const decoded = await typeOf(Person).decode({ ...PERSON, ...change });
  expect(refusals(decoded)[0]).toMatch(new RegExp(`^${path.replace(/[[\]]/g, '\\$&')}:`));
});

@ValidatorConstraint({ name: 'isNotOslo', async: true })
class IsNotOslo {
  async validate(text: string): Promise<boolean> {
    return text !== 'Oslo';
  }
  defaultMessage(): string {
    return 'Oslo is taken';
  }
}

class Trip {
  @IsString() @Validate(IsNotOslo) city!: string;
}
class Trips {
  @ValidateNested({ each: true }) @Type(() => Trip) trips!: Trip[];
}

test('a constraint without a rule, even an asynchronous one, is enforced at every depth', async () => {
  expect(await typeOf(Trips).decode({ trips: [{ city: 'Rome' }, { city: 'Oslo' }] })).toMatchObject({
    ok: false,
    faults: [{ path: 'trips[1].city', hint: 'Oslo is taken' }],
  });
  const fine = await typeOf<Trips>(Trips).decode({ trips: [{ city: 'Rome' }] });
  expect(fine.ok && fine.value.trips[0]).toBeInstanceOf(Trip);
});

test("a validator that throws is the developer's fault, and says so", async () => {
  class Broken {
    @IsString() word!: string;
  }
  registerDecorator({
    name: 'explodes',
    target: Broken,
    propertyName: 'word',
    validator: {
      validate: () => {
        throw new Error('no database');
      },
    },
  });
  await expect(Promise.resolve(typeOf(Broken).decode({ word: 'a' }))).rejects.toThrow('no database');
});

class Shaped {
  @Expose({ name: 'first_name' }) @IsString() firstName!: string;
  @Transform(({ value }) => String(value).toUpperCase()) @IsString() code!: string;
  @Exclude() @IsOptional() @IsString() secret?: string;
  @IsDateString() day!: string;
}

test("class-transformer's names, transformations and exclusions hold", () => {
  expect(Object.keys(typeOf(Shaped).schema.properties as object)).toEqual(['first_name', 'code', 'day']);
  return expect(typeOf(Shaped).decode({ first_name: 'Ada', code: 'no', day: '2024-05-01T10:00:00Z' })).resolves.toMatchObject({
    ok: true,
    value: { firstName: 'Ada', code: 'NO' },
  });
});

abstract class Shape {
  kind!: string;
}
class Circle extends Shape {
  @Field() r!: number;
}
class Square extends Shape {
  @Field() side!: number;
}
class Drawing {
  @Type(() => Shape, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'circle', value: Circle },
        { name: 'square', value: Square },
      ],
    },
    keepDiscriminatorProperty: true,
  })
  @ValidateNested()
  shape!: Shape;
}

test('a discriminated @Type is one branch per subclass, and gives the right one', () => {
  expect((typeOf(Drawing).schema.properties as Record<string, { anyOf: unknown[] }>).shape!.anyOf).toHaveLength(2);
  const input = { shape: { kind: 'square', side: 2 } };
  const { shape } = valueOf(typeOf<Drawing>(Drawing).decode(input));
  expect(shape).toBeInstanceOf(Square);
  expect(shape).toEqual({ kind: 'square', side: 2 });
  expect(input).toEqual({ shape: { kind: 'square', side: 2 } });
  expect(refusals(typeOf(Drawing).decode({ shape: { kind: 'square', r: 2 } }))).toEqual(['shape.side: a number', 'shape.r: no such key']);
});

test('checks that hold under a condition are not promised to the model, and still run', async () => {
  class Parcel {
    @IsBoolean() insured!: boolean;
    @ValidateIf((parcel: Parcel) => parcel.insured) @IsString() @MinLength(5) policy!: string;
  }
  expect(typeOf(Parcel).schema.properties).toEqual({ insured: { type: 'boolean' }, policy: { type: 'string' } });
  expect((await typeOf(Parcel).decode({ insured: false, policy: 'x' })).ok).toBe(true);
  expect((await typeOf(Parcel).decode({ insured: true, policy: 'x' })).ok).toBe(false);
});

class Base {
  @IsString() @MinLength(5) word!: string;
  @IsInt() count!: number;
}
class Derived extends Base {
  @IsString() @Matches(/^[A-Z]+$/) declare word: string;
}

test('a redeclared property has the checks that class-validator will run, in the schema as in the check', async () => {
  expect(typeOf(Derived).schema.properties).toEqual({ word: { type: 'string', pattern: '^[A-Z]+$' }, count: { type: 'integer' } });
  expect((await typeOf(Derived).decode({ word: 'ABC', count: 1 })).ok).toBe(true);
  expect((await typeOf(Derived).decode({ word: 'abc', count: 1 })).ok).toBe(false);
});

test('a class that asks for constructor arguments is refused with the reason', () => {
  class Needy {
    @Field() a!: string;
    constructor(readonly service: object) {}
  }
  expect(typeFaultsOf(Needy)).toMatchObject([{ where: 'Needy', what: expect.stringContaining('constructor') as string }]);
});

test('a class without any property says what to write', () => {
  class Bare {
    a!: string;
  }
  expect(typeFaultsOf(Bare)).toMatchObject([{ where: 'Bare', fix: expect.stringContaining('@Field()') as string }]);
});

test('a list without the type of its items is refused, also deep inside', () => {
  class Inner {
    @Field() names!: string[];
  }
  class Outer {
    @Field() inner!: Inner;
  }
  expect(typeFaultsOf(Outer)).toMatchObject([
    {
      where: 'Inner.names',
      what: expect.stringContaining('Array') as string,
      fix: expect.stringContaining('@Field({ type: arrayOf(Number) })') as string,
    },
  ]);
});

test('two classes of one name keep apart', () => {
  const make = (type: unknown): new () => object => {
    class User {
      static self = null;
    }
    append(User, 'fields', { property: 'id', options: { type } });
    return User;
  };
  const [One, Two] = [make(String), make(Number)];
  class Pair {}
  for (const [property, type] of Object.entries({ a: One, b: One, c: Two, d: Two }))
    append(Pair, 'fields', { property, options: { type } });
  const { properties, $defs } = typeOf(Pair).schema as { properties: object; $defs: object };
  expect(properties).toEqual({
    a: { $ref: '#/$defs/User' },
    b: { $ref: '#/$defs/User' },
    c: { $ref: '#/$defs/User_2' },
    d: { $ref: '#/$defs/User_2' },
  });
  expect(Object.keys($defs)).toEqual(['User', 'User_2']);
});
