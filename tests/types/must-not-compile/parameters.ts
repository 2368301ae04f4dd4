import { z } from 'zod';
import { Agent, Args, Field, Param, Tool, ToolContext, arrayOf, literal, nullable, oneOf, recordOf, tupleOf, jsonSchema } from 'toolwright';

enum Unit {
  Celsius = 'celsius',
  Fahrenheit = 'fahrenheit',
}
enum Level {
  Low,
  Mid,
}
interface Loose {
  a: string;
}
class Place {
  city!: string;
  unit?: Unit;
}
class Other {
  x!: number;
}
export class Wrong {
  // @ts-expect-error field
  @Field({ type: Number }) a!: string;
  // @ts-expect-error field
  @Field({ enum: ['a', 'c'] }) b!: 'a' | 'b';
  // @ts-expect-error field
  @Field({ default: 3 }) c!: string;
}
export const NAMES: string[] = [];
export class Bad extends Agent<string, { user: string }> {
  // @ts-expect-error n01 wrong primitive
  @Tool('x') n01(@Param('n', { type: String }) n: number) {
    return [n];
  }
  // @ts-expect-error n02 enum member outside
  @Tool('x') n02(@Param('u', { enum: ['a', 'c'] }) u: 'a' | 'b') {
    return [u];
  }
  // @ts-expect-error n03 array undeclared
  @Tool('x') n03(@Param('xs', 'numbers') xs: number[]) {
    return [xs];
  }
  // @ts-expect-error n04 optional undeclared
  @Tool('x') n04(@Param('n', 'optional number') n?: number) {
    return [n];
  }
  // @ts-expect-error n05 default mismatch
  @Tool('x') n05(@Param('d', { default: 'three' }) d: number = 3) {
    return [d];
  }
  // @ts-expect-error n06 object literal type
  @Tool('x') n06(@Param('o', 'an object') o: { a: string }) {
    return [o];
  }
  // @ts-expect-error n07 literal union undeclared
  @Tool('x') n07(@Param('u', 'literal') u: 'a' | 'b') {
    return [u];
  }
  // @ts-expect-error n08 union undeclared
  @Tool('x') n08(@Param('u') u: string | number) {
    return [u];
  }
  // @ts-expect-error n09 nullable undeclared
  @Tool('x') n09(@Param('u') u: string | null) {
    return [u];
  }
  // @ts-expect-error n10 record undeclared
  @Tool('x') n10(@Param('u') u: Record<string, number>) {
    return [u];
  }
  // @ts-expect-error n11 interface undeclared
  @Tool('x') n11(@Param('u') u: Loose) {
    return [u];
  }
  // @ts-expect-error n12 tuple undeclared
  @Tool('x') n12(@Param('u') u: [string, number]) {
    return [u];
  }
  // @ts-expect-error n13 enum undeclared
  @Tool('x') n13(@Param('u') u: Unit) {
    return [u];
  }
  // @ts-expect-error n14 numeric enum undeclared
  @Tool('x') n14(@Param('u') u: Level) {
    return [u];
  }
  // @ts-expect-error n15 any undeclared
  @Tool('x') n15(@Param('u') u: any) {
    return [u];
  }
  // @ts-expect-error n16 unknown undeclared
  @Tool('x') n16(@Param('u') u: unknown) {
    return [u];
  }
  // @ts-expect-error n17 defaulted undeclared
  @Tool('x') n17(@Param('u') u = 3) {
    return [u];
  }
  // @ts-expect-error n18 declared optional, type not
  @Tool('x') n18(@Param('u', { optional: true }) u: number) {
    return [u];
  }
  // @ts-expect-error n19 default outside the enum
  @Tool('x') n19(@Param('u', { enum: ['a', 'b'], default: 'c' }) u: string) {
    return [u];
  }
  // @ts-expect-error n20 array of wrong
  @Tool('x') n20(@Param('u', { type: arrayOf(String) }) u: number[]) {
    return [u];
  }
  // @ts-expect-error n21 bare Array
  @Tool('x') n21(@Param('u', { type: Array }) u: string[]) {
    return [u];
  }
  // @ts-expect-error n22 nullable where not accepted
  @Tool('x') n22(@Param('u', { type: nullable(String) }) u: string) {
    return [u];
  }
  // @ts-expect-error n23 union wider
  @Tool('x') n23(@Param('u', { type: oneOf(String, Boolean) }) u: string | number) {
    return [u];
  }
  // @ts-expect-error n24 record
  @Tool('x') n24(@Param('u', { type: recordOf(String) }) u: Record<string, number>) {
    return [u];
  }
  // @ts-expect-error n25 tuple
  @Tool('x') n25(@Param('u', { type: tupleOf(String, String) }) u: [string, number]) {
    return [u];
  }
  // @ts-expect-error n26 class
  @Tool('x') n26(@Param('u', { type: Other }) u: Place) {
    return [u];
  }
  // @ts-expect-error n27 zod
  @Tool('x') n27(@Param('u', { type: z.number() }) u: string) {
    return [u];
  }
  // @ts-expect-error n28 zod optional, parameter not
  @Tool('x') n28(@Param('u', { type: z.string().optional() }) u: string) {
    return [u];
  }
  // @ts-expect-error n29 Date for string
  @Tool('x') n29(@Param('u', { type: Date }) u: string) {
    return [u];
  }
  // @ts-expect-error n30 bigint
  @Tool('x') n30(@Param('u', { type: Number }) u: bigint) {
    return [u];
  }
  // @ts-expect-error n31 context with @Param
  @Tool('x') n31(@Param('u') u: ToolContext) {
    return [u];
  }
  // @ts-expect-error n32 unknown option
  @Tool('x') n32(@Param('u', { desciption: 'a' }) u: string) {
    return [u];
  }
  // @ts-expect-error n33 type as text
  @Tool('x') n33(@Param('u', { type: 'string' }) u: string) {
    return [u];
  }
  // @ts-expect-error n34 raw schema
  @Tool('x') n34(@Param('u', { type: { type: 'string' } }) u: string) {
    return [u];
  }
  // @ts-expect-error n35 private method, wrong type
  @Tool('x') private n35(@Param('u', { type: Number }) u: string) {
    return [u];
  }
  // @ts-expect-error n36 protected, optional
  @Tool('x') protected n36(@Param('u') u?: string) {
    return [u];
  }
  // @ts-expect-error n37 enum members
  @Tool('x') n37(@Param('u', { enum: Level }) u: Unit) {
    return [u];
  }
  // @ts-expect-error n38 literal()
  @Tool('x') n38(@Param('u', { type: literal('a', 'c') }) u: 'a' | 'b') {
    return [u];
  }
  // @ts-expect-error n39 thunk of wrong
  @Tool('x') n39(@Param('u', { type: () => Other }) u: Place) {
    return [u];
  }
  // @ts-expect-error n40 Map
  @Tool('x') n40(@Param('u', { type: Map }) u: Map<string, number>) {
    return [u];
  }
  // @ts-expect-error n41 function
  @Tool('x') n41(@Param('u') u: () => void) {
    return [u];
  }
  // @ts-expect-error n42 jsonSchema without its type
  @Tool('x') n42(@Param('u', { type: jsonSchema({}) }) u?: string) {
    return [u];
  }
  // @ts-expect-error n43 rest
  @Tool('x') n43(...xs: string[]) {
    return [xs];
  }
  n44(
    // @ts-expect-error n44 rest with @Param
    @Param('xs', { type: arrayOf(String) }) ...xs: string[]
  ) {
    return [xs];
  }
  // @ts-expect-error n45 static
  @Tool('x') static n45() {}
  static n46(
    // @ts-expect-error n46 static parameter
    @Param('x') x: string,
  ) {
    return [x];
  }
  // @ts-expect-error n47 deps
  @Tool('x') n47(context: ToolContext<{ db: string }>) {
    return [context];
  }
  // @ts-expect-error n48 property
  @Tool('x') n48 = () => 1;
  // @ts-expect-error n49 getter
  @Tool('x') get n49() {
    return 1;
  }
  // @ts-expect-error n50 tool option
  @Tool({ timout: 3 }) n50() {}
  // @ts-expect-error n51 args on a primitive
  @Tool('x') n51(@Args() a: string) {
    return [a];
  }
  // @ts-expect-error n52 args beside another
  @Tool('x') n52(@Args() a: Place, b: string) {
    return [a, b];
  }
  // @ts-expect-error n53 args of another class
  @Tool('x') n53(@Args(Other) a: Place) {
    return [a];
  }
  // @ts-expect-error n54 default of enum
  @Tool('x') n54(@Param('u', { enum: Unit, default: 'kelvin' }) u: Unit) {
    return [u];
  }
  // @ts-expect-error n55 array default
  @Tool('x') n55(@Param('u', { type: arrayOf(String), default: [1] }) u: string[]) {
    return [u];
  }
  // @ts-expect-error n56 list of text where literals are due
  @Tool('x') n56(@Param('u', { enum: NAMES }) u: 'a' | 'b') {
    return [u];
  }
  // @ts-expect-error n57 second parameter
  @Tool('x') n57(@Param('a') a: string, context: ToolContext, @Param('b') b: string[]) {
    return [a, context, b];
  }
  // @ts-expect-error n60 number for a numeric enum
  @Tool('x') n60(@Param('u', { type: Number }) u: Level) {
    return [u];
  }
  // @ts-expect-error n61 jsonSchema that says nothing
  @Tool('x') n61(@Param('u', { type: jsonSchema({}), optional: true }) u?: string) {
    return [u];
  }
  // @ts-expect-error n62 array of numbers for an array of literals
  @Tool('x') n62(@Param('u', { type: arrayOf(String) }) u: ('a' | 'b')[]) {
    return [u];
  }
  // @ts-expect-error n63 record of literals
  @Tool('x') n63(@Param('u', { type: recordOf(String) }) u: Record<'a' | 'b', number>) {
    return [u];
  }
  // @ts-expect-error n64 boolean literal undeclared
  @Tool('x') n64(@Param('u') u: true) {
    return [u];
  }
  // @ts-expect-error n65 template literal undeclared
  @Tool('x') n65(@Param('u') u: `id-${string}`) {
    return [u];
  }
  // @ts-expect-error n66 branded string undeclared
  @Tool('x') n66(@Param('u') u: string & { readonly brand: 'id' }) {
    return [u];
  }
  // @ts-expect-error n67 undefined literal
  @Tool('x') n67(@Param('u', { type: String }) u: string | undefined) {
    return [u];
  }
  // @ts-expect-error n69 any number in a list of a numeric enum's members
  @Tool('x') n69(@Param('u', { type: arrayOf(Number) }) u: Level[]) {
    return [u];
  }
  // @ts-expect-error n70 and in a record of them
  @Tool('x') n70(@Param('u', { type: recordOf(Number) }) u: Record<string, Level>) {
    return [u];
  }
  // @ts-expect-error n71 and in a list of lists, beside text
  @Tool('x') n71(@Param('u', { type: arrayOf(arrayOf(oneOf(String, Number))) }) u: (string | Level)[][]) {
    return [u];
  }
  // @ts-expect-error n72 deps asked for after six parameters
  @Tool('x') n72(
    @Param('a') a: string,
    @Param('b') b: string,
    @Param('c') c: string,
    @Param('d') d: string,
    @Param('e') e: string,
    @Param('f') f: string,
    context: ToolContext<{ db: string }>,
  ) {
    return [a, b, c, d, e, f, context];
  }
  // @ts-expect-error n58 symbol-named
  @Tool('x') [Symbol.iterator]() {}
  constructor(
    // @ts-expect-error n59 constructor
    @Param('x') readonly x: string,
  ) {
    super();
  }
  @Tool('x') n68(
    @Param('a') a: string,
    @Param('b') b: number,
    @Param('c') c: boolean,
    @Param('d') d: Date,
    // @ts-expect-error n68 the fifth of six
    @Param('e', { type: arrayOf(String) }) e: number[],
    @Param('f', { enum: ['x'] }) f: 'x',
  ) {
    return [a, b, c, d, e, f];
  }
}
