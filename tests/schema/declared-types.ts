import { Field } from './field';
import { arrayOf, Integer, jsonSchema, literal, nullable, oneOf, recordOf, tupleOf } from '../../src/types/type-spec';
import type { Given } from './contracts';

class OnlyA {
  a!: string;
}
Field(OnlyA, 'a', { type: String });

class OnlyB {
  b!: number;
}
Field(OnlyB, 'b', { type: Number });

class User {
  id!: string;
}
Field(User, 'id', { type: String });

class Page {
  items!: User[];
  next?: string;
}
Field(Page, 'items', { type: arrayOf(User) });
Field(Page, 'next', { type: String, optional: true });

class Address {
  email!: string;
  name?: string;
}
Field(Address, 'email', { type: String });
Field(Address, 'name', { type: String, optional: true });

class A {
  b?: B;
}
class B {
  a?: A;
}
Field(A, 'b', { type: () => B, optional: true });
Field(B, 'a', { type: () => A, optional: true });

/** The declarations of the handed schema cases, by id. */
export const SCHEMA_CASES: Record<string, Record<string, Given>> = {
  sc01: { city: { type: String } },
  sc04: { on: { type: Boolean } },
  sc11: { limit: { type: Integer, minimum: 1, maximum: 50, default: 10 } },
  sc16: { v: { enum: [1, 'auto'] } },
  sc19: { p: { enum: { Low: 0, High: 1, 0: 'Low', 1: 'High' } } },
  sc23: { w: { type: oneOf(Number, literal('auto')) } },
  sc32: { range: { type: tupleOf(Number, Number) } },
  sc33: { pair: { type: tupleOf(String, Integer) } },
  sc40: { o: { type: OnlyA } },
  sc46: { page: { type: Page } },
  sc51: { o: { type: recordOf(jsonSchema({})) } },
  sc52: { v: { type: jsonSchema({}) } },
  sc53: { v: { type: nullable(oneOf(String, Number, Boolean)) } },
  sc54: { v: { type: oneOf(String, Number) } },
  sc56: { to: { type: oneOf(String, Address) } },
  sc57: { x: { type: oneOf(OnlyA, OnlyB), optional: true } },
  sc59: { when: { type: Date } },
  sc61: { link: { type: URL } },
  sc70: { step: { type: Number, multipleOf: 0.5 } },
  sc75: { a: { type: A } },
  sc76: { x: { type: User }, y: { type: User } },
  sc81: { first: { type: String }, second: { type: Number, optional: true }, third: { type: Boolean } },
  sc83: { query: { type: String }, rest: { type: arrayOf(String), optional: true } },
  sc85: { v: { type: oneOf(arrayOf(String), String) } },
};

class Point {
  x!: number;
  y!: number;
}
Field(Point, 'x', { type: Number });
Field(Point, 'y', { type: Number });

class Circle {
  kind!: 'circle';
  r!: number;
}
Field(Circle, 'kind', { enum: ['circle'] });
Field(Circle, 'r', { type: Number });

class Rect {
  kind!: 'rect';
  w!: number;
  h!: number;
}
Field(Rect, 'kind', { enum: ['rect'] });
Field(Rect, 'w', { type: Number });
Field(Rect, 'h', { type: Number });

/** The tools of the handed argument cases, by name. */
export const ARGUMENT_TOOLS: Record<string, Record<string, Given>> = {
  count: { n: { type: Integer, minimum: 1, maximum: 100 } },
  ratio: { p: { type: Number, minimum: 0, maximum: 1 } },
  amount: { value: { type: Number } },
  by_num: { id: { type: Integer } },
  by_text: { id: { type: String, pattern: '^[0-9]{1,20}$' } },
  wipe: { force: { type: Boolean }, dryRun: { type: Boolean, default: true } },
  search: {
    query: { type: String, minLength: 1 },
    limit: { type: Integer, minimum: 1, maximum: 50, default: 10 },
    sort: { enum: ['asc', 'desc'], optional: true },
    note: { type: String, optional: true },
  },
  tag: { ids: { type: arrayOf(String), minItems: 1 } },
  say_all: { lines: { type: arrayOf(String) } },
  sum: { xs: { type: arrayOf(Number) }, round: { type: Integer, optional: true } },
  grid: { rows: { type: arrayOf(arrayOf(Number)) } },
  span: { range: { type: tupleOf(Number, Number) } },
  move: { from: { type: Point }, speed: { type: Number, optional: true } },
  memo: { title: { type: String }, body: { type: nullable(String) } },
  either: { value: { type: oneOf(String, Number) } },
  bool_or_text: { value: { type: oneOf(Boolean, String) } },
  shape: { shape: { type: oneOf(Circle, Rect) } },
  level: { level: { enum: [1, 2, 3] } },
  cased: { unit: { enum: ['m', 'M'] } },
  labels: { map: { type: recordOf(String) } },
  at: { when: { type: Date } },
  put: { path: { type: String }, content: { type: String } },
  initial: { letter: { type: String, maxLength: 1 } },
  now: {},
};
