import 'reflect-metadata';
import { Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, MinDate, MinLength, ValidateNested } from 'class-validator';
import { Args, arrayOf, Field, defaultRegistry, nullable, oneOf, recordOf, Tool } from 'toolwright';
import { typeFaultsOf, typeOf, valueOf } from './contracts';

class Child {
  @IsString() name!: string;
}

test('a property that only class-transformer decorates is part of the contract', () => {
  class Family {
    @Field() street!: string;
    @Type(() => Child) children!: Child[];
    @Transform(({ value }) => String(value).trim()) surname!: string;
    @Transform(({ value }) => value as string, { toPlainOnly: true }) label!: string;
  }
  expect(Object.keys(typeOf(Family).schema.properties as object)).toEqual(['street', 'children', 'surname']);
  const decoded = valueOf(typeOf<Family>(Family).decode({ street: 'a', children: [{ name: 'b' }], surname: ' c ' }));
  expect(decoded.children[0]).toBeInstanceOf(Child);
  expect(decoded.surname).toBe('c');
});

test('what the class computes itself is not asked of the model, and its constraints still hold', async () => {
  class Person {
    @IsString() first!: string;
    @IsString() last!: string;
    @Expose() @MaxLength(8) get name(): string {
      return `${this.first} ${this.last}`;
    }
    @Expose() initials(): string {
      return this.first.charAt(0) + this.last.charAt(0);
    }
  }
  class Member extends Person {
    @IsString() club!: string;
  }
  const contract = typeOf<Member>(Member);
  expect(Object.keys(contract.schema.properties as object)).toEqual(['first', 'last', 'club']);
  expect(await contract.decode({ first: 'Ada', last: 'Ada', club: 'x' })).toMatchObject({ ok: true, value: { name: 'Ada Ada' } });
  expect(await contract.decode({ first: 'Augusta', last: 'Ada', club: 'x' })).toMatchObject({ ok: false, faults: [{ path: 'name' }] });
});

test('a date that a check refuses is shown as it was sent', async () => {
  class Booking {
    @MinDate(new Date('2024-01-01')) day!: Date;
  }
  const decoded = await typeOf(Booking).decode({ day: '2023-06-01T00:00:00Z' });
  expect(decoded).toMatchObject({ ok: false, faults: [{ path: 'day', got: '"2023-06-01T00:00:00.000Z"' }] });
});

test('a value that a setter throws at is a fault at its place', async () => {
  class Order {
    private kept = '';
    @IsString() get code(): string {
      return this.kept;
    }
    set code(code: string) {
      if (code === '') throw new Error('no code');
      this.kept = code;
    }
  }
  const contract = typeOf<Order>(Order);
  expect(valueOf(contract.decode({ code: 'a' })).code).toBe('a');
  expect(await contract.decode({ code: '' })).toMatchObject({ ok: false, faults: [{ path: 'code' }] });
});

test('@Type on what may be a record is refused until the declaration says which (decorators-32)', () => {
  class Book {
    @Type(() => Child) byName!: Record<string, Child>;
    @ValidateNested({ each: true }) @Type(() => Child) byPlace!: Record<string, Child>;
    @Field({ type: recordOf(Child) }) @Type(() => Child) told!: Record<string, Child>;
    @ValidateNested() @Type(() => Child) one!: Child | null;
  }
  expect(typeFaultsOf(Book).map(({ where }) => where)).toEqual(['Book.byName', 'Book.byPlace']);
  expect(typeFaultsOf(Book)[0]!.fix).toContain('recordOf');
});

test('a Map or a Set of nested values is refused, whatever @Type says', () => {
  class Index {
    @ValidateNested({ each: true }) @Type(() => Child) byName!: Map<string, Child>;
    @ValidateNested({ each: true }) @Type(() => Child) all!: Set<Child>;
  }
  expect(typeFaultsOf(Index).map(({ what }) => what)).toEqual([expect.stringContaining('Map'), expect.stringContaining('Set')]);
});

test('without type metadata, @Type alone is no contract: a list of them looks the same', () => {
  class Family {
    @ValidateNested() @Type(() => Child) children!: Child[];
  }
  Reflect.deleteMetadata('design:type', Family.prototype, 'children');
  expect(typeFaultsOf(Family)).toEqual([expect.objectContaining({ where: 'Family.children', what: expect.stringContaining('@Type') })]);
});

test("what a property's own options let through is not refused by class-validator", async () => {
  class Note {
    @MinLength(2) title!: string;
    @Field({ type: nullable(String) }) @IsString() body!: string | null;
    @Field({ optional: true }) @IsInt() stars?: number;
  }
  expect(await valueOf(await typeOf<Note>(Note).decode({ title: 'ab', body: null }))).toMatchObject({ title: 'ab', body: null });
});

test('a decorator of a DTO that stands where it means nothing is told with the other faults', () => {
  class Order {
    @Field() item!: string;
    @Field() get total(): number {
      return 1;
    }
    @((Field as (options: unknown) => PropertyDecorator)(5)) count!: number;
  }
  class Shop {
    @Tool('Orders.') order(@Args() _order: Order) {}
  }
  expect(() => defaultRegistry.toolsOf(Shop)).toThrow(
    /Order\.total: @Field\(\) stands on an accessor[\s\S]*Order\.count: @Field\(\) was given/,
  );
});

test('a class that must hold itself without end is refused, and one that may stop is not', () => {
  class Node {
    @ValidateNested() @Type(() => Node) next!: Node;
  }
  class Head {
    @Field({ type: () => Tail }) tail!: unknown;
  }
  class Tail {
    @Field({ type: arrayOf(() => Head, { minItems: 1 }) }) heads!: unknown[];
  }
  class List {
    @IsOptional() @ValidateNested() @Type(() => List) next?: List;
    @Field({ type: arrayOf(() => List) }) others!: List[];
    @Field({ type: oneOf(String, () => List) }) either!: string | List;
  }
  expect(typeFaultsOf(Node).map(({ where }) => where)).toEqual(['Node.next']);
  expect(typeFaultsOf(Head).map(({ where }) => where)).toEqual(['Head.tail', 'Tail.heads']);
  expect(typeFaultsOf(List)).toEqual([]);
});
