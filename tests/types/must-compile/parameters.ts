import { z } from 'zod';
import * as v from 'valibot';
import {
  Agent,
  Args,
  Ctx,
  Field,
  Integer,
  Param,
  Tool,
  ToolContext,
  ToolResult,
  arrayOf,
  enumOf,
  jsonSchema,
  literal,
  nullable,
  oneOf,
  recordOf,
  tupleOf,
} from 'toolwright';
import type { ParamOptions } from 'toolwright';

export enum Unit {
  Celsius = 'celsius',
  Fahrenheit = 'fahrenheit',
}
export enum Level {
  Low,
  Mid,
  High,
}
export const Shape = { Round: 'round', Square: 'square' } as const;
export class Place {
  @Field('City') city!: string;
  @Field({ enum: Unit }) unit?: Unit;
  @Field({ type: arrayOf(String) }) tags!: string[];
}
export class Node {
  label!: string;
  children!: Node[];
}
export interface Loose {
  a: string;
}
const List = z.object({ city: z.string(), days: z.number().optional() });

const LETTERS = ['a', 'b'] as const;
const COUNT = { type: Integer, minimum: 1, description: 'How many' } satisfies ParamOptions;

export class Everything extends Agent<string, { user: string }> {
  @Tool('x') string(@Param('s') s: string) {
    return s;
  }
  @Tool('x') described(@Param('s', 'A word') s: string) {
    return s;
  }
  @Tool('x') number(@Param('n', { minimum: 1 }) n: number) {
    return n;
  }
  @Tool('x') sharedOptions(@Param('n', COUNT) n: number, @Param('m', { ...COUNT, optional: true }) m?: number) {
    return [n, m];
  }
  @Tool('x') integer(@Param('n', { type: Integer }) n: number) {
    return n;
  }
  @Tool('x') boolean(@Param('b') b: boolean) {
    return b;
  }
  @Tool('x') bigint(@Param('b') b: bigint) {
    return b;
  }
  @Tool('x') bigint2(@Param('b', { type: BigInt }) b: bigint) {
    return b;
  }
  @Tool('x') date(@Param('d') d: Date) {
    return d;
  }
  @Tool('x') date2(@Param('d', { type: Date, default: new Date(0) }) d: Date) {
    return d;
  }
  @Tool('x') optional(@Param('n', { optional: true }) n?: number) {
    return n;
  }
  @Tool('x') orUndefined(@Param('n', { type: Number, optional: true }) n: number | undefined) {
    return n;
  }
  @Tool('x') defaulted(@Param('n', { default: 3 }) n = 3) {
    return n;
  }
  @Tool('x') defaulted2(@Param('n', { optional: true }) n: number = 3) {
    return n;
  }
  @Tool('x') defaulted3(@Param('n', { default: 3 }) n: number) {
    return n;
  }
  @Tool('x') optionalWithDefault(@Param('n', { default: 3, optional: true }) n: number) {
    return n;
  }
  @Tool('x') nullable(@Param('s', { type: nullable(String) }) s: string | null) {
    return s;
  }
  @Tool('x') nullableOptional(@Param('s', { type: nullable(String), optional: true }) s?: string | null) {
    return s;
  }
  @Tool('x') nullDefault(@Param('s', { type: nullable(String), default: null }) s: string | null) {
    return s;
  }
  @Tool('x') union(@Param('s', { type: oneOf(String, Number) }) s: string | number) {
    return s;
  }
  @Tool('x') wider(@Param('s', { type: String }) s: string | number) {
    return s;
  }
  @Tool('x') literals(@Param('s', { enum: ['a', 'b'] }) s: 'a' | 'b') {
    return s;
  }
  @Tool('x') literalsConst(@Param('s', { enum: LETTERS }) s: 'a' | 'b') {
    return s;
  }
  @Tool('x') literals2(@Param('s', { type: literal('a', 1, null) }) s: 'a' | 1 | null) {
    return s;
  }
  @Tool('x') fewer(@Param('s', { enum: ['a'] }) s: 'a' | 'b') {
    return s;
  }
  @Tool('x') numbers(@Param('s', { enum: [1, 2, 3] }) s: 1 | 2 | 3) {
    return s;
  }
  @Tool('x') enumString(@Param('u', { enum: Unit }) u: Unit) {
    return u;
  }
  @Tool('x') enumString2(@Param('u', { enum: Unit, default: Unit.Celsius }) u: Unit) {
    return u;
  }
  @Tool('x') enumNumber(@Param('u', { enum: Level }) u: Level) {
    return u;
  }
  @Tool('x') enumConst(@Param('u', { enum: Shape }) u: (typeof Shape)[keyof typeof Shape]) {
    return u;
  }
  @Tool('x') enums(@Param('u', { type: arrayOf(enumOf(Unit)) }) u: Unit[]) {
    return u;
  }
  @Tool('x') enums2(@Param('u', { type: arrayOf(enumOf(Level)) }) u: readonly Level[]) {
    return u;
  }
  @Tool('x') enums3(@Param('u', { type: recordOf(arrayOf(enumOf(Level))) }) u: Record<string, Level[]>) {
    return u;
  }
  @Tool('x') numbersWider(@Param('u', { type: arrayOf(Integer) }) u: (number | string)[]) {
    return u;
  }
  @Tool('x') array(@Param('xs', { type: arrayOf(String), default: [] }) xs: string[]) {
    return xs;
  }
  @Tool('x') array2(@Param('xs', { type: arrayOf(Number), default: [1, 2] }) xs: readonly number[]) {
    return xs;
  }
  @Tool('x') matrix(@Param('xs', { type: arrayOf(arrayOf(Number)) }) xs: number[][]) {
    return xs;
  }
  @Tool('x') dtos(@Param('xs', { type: arrayOf(Place) }) xs: Place[]) {
    return xs;
  }
  @Tool('x') dto(@Param('p', { type: Place }) p: Place) {
    return p;
  }
  @Tool('x') dtoDefault(@Param('p', { type: Place, default: { city: 'Oslo', tags: [] } }) p: Place) {
    return p;
  }
  @Tool('x') forward(@Param('p', { type: () => Later }) p: Later) {
    return p;
  }
  @Tool('x') forward2(@Param('p', { type: () => arrayOf(Later) }) p: Later[]) {
    return p;
  }
  @Tool('x') tuple(@Param('t', { type: tupleOf(String, Number) }) t: [string, number]) {
    return t;
  }
  @Tool('x') tuple2(@Param('t', { type: tupleOf(String, Number) }) t: readonly [string, number]) {
    return t;
  }
  @Tool('x') tuple3(@Param('t', { type: tupleOf(String, Number), default: ['a', 1] }) t: [a: string, b: number]) {
    return t;
  }
  @Tool('x') record(@Param('r', { type: recordOf(Number) }) r: Record<string, number>) {
    return r;
  }
  @Tool('x') record2(@Param('r', { type: recordOf(Number) }) r: { [k: string]: number }) {
    return r;
  }
  @Tool('x') unknown(@Param('r', { type: jsonSchema<unknown>({}) }) r: unknown) {
    return r;
  }
  @Tool('x') any(@Param('r', { type: jsonSchema<any>({}) }) r: any) {
    return r;
  }
  @Tool('x') raw(@Param('r', { type: jsonSchema<Loose>({ type: 'object' }) }) r: Loose) {
    return r;
  }
  @Tool('x') zod(@Param('r', { type: z.string().email() }) r: string) {
    return r;
  }
  @Tool('x') zodObject(@Param('r', { type: List }) r: z.infer<typeof List>) {
    return r;
  }
  @Tool('x') zodOptional(@Param('r', { type: z.string().optional() }) r?: string) {
    return r;
  }
  @Tool('x') zodDefault(@Param('r', { type: z.string().default('a') }) r: string) {
    return r;
  }
  @Tool('x') zodTransform(@Param('r', { type: z.string().transform((s) => new Date(s)) }) r: Date) {
    return r;
  }
  @Tool('x') zodArray(@Param('r', { type: arrayOf(z.number().int()) }) r: number[]) {
    return r;
  }
  @Tool('x') zodEnum(@Param('r', { type: z.enum(['a', 'b']) }) r: 'a' | 'b') {
    return r;
  }
  @Tool('x') valibot(@Param('r', { type: v.object({ a: v.pipe(v.string(), v.minLength(1)) }) }) r: { a: string }) {
    return r;
  }
  @Tool('x') destructured(@Param('p', { type: Place }) { city, unit = Unit.Celsius }: Place) {
    return [city, unit];
  }
  @Tool('x') contextLast(@Param('s') s: string, context: ToolContext<{ user: string }>) {
    return s + context.deps.user;
  }
  @Tool('x') contextFirst(context: ToolContext<{ user: string }>, @Param('s') s: string) {
    return s + context.deps.user;
  }
  @Tool('x') contextMiddle(@Param('a') a: string, context: ToolContext, @Param('b') b: number) {
    return [a, context.callId, b];
  }
  @Tool('x') contextExplicit(@Param('a') a: string, @Ctx() context: ToolContext) {
    return [a, context.callId];
  }
  @Tool('x') contextOptional(@Param('a') a: string, context?: ToolContext<{ user: string }>) {
    return [a, context?.deps.user];
  }
  @Tool('x') args(@Args() place: Place) {
    return place.city;
  }
  @Tool('x') argsExplicit(@Args(Place) place: Place, context: ToolContext) {
    return [place.city, context.callId];
  }
  @Tool('x') argsZod(@Args(List) list: z.infer<typeof List>) {
    return list.city;
  }
  @Tool('x') async promised(@Param('s') s: string): Promise<ToolResult<{ s: string }>> {
    return ToolResult.success({ s }, { message: 'done' });
  }
  @Tool('x') result(@Param('s') s: string) {
    return s ? ToolResult.partial([1], { total: 3 }) : ToolResult.error('no', { suggestion: 'yes' });
  }
  @Tool('x') generic<T extends string>(@Param('s', { type: String }) s: T) {
    return s;
  }
  @Tool('x') generic2<T>(@Param('s', { type: arrayOf(String) }) s: T[]) {
    return s;
  }
  @Tool('x') thisParameter(this: Everything, @Param('s') s: string) {
    return s;
  }
  @Tool('x') private secret(@Param('s') s: string) {
    return s;
  }
  @Tool('x') protected guarded(@Param('s', { enum: Unit }) s: Unit) {
    return s;
  }
  overloaded(s: string): string;
  overloaded(s: string | number): string;
  @Tool('x') overloaded(@Param('s', { type: oneOf(String, Number) }) s: string | number): string {
    return String(s);
  }
  use() {
    return [this.secret('a'), this.guarded(Unit.Celsius)];
  }
}
export class Later {
  x!: number;
}
