import type { IsAny } from '../../types/fit';

type IsUnion<P, All = P> = P extends unknown ? ([All] extends [P] ? false : true) : never;

/** Whether `design:paramtypes` is enough to know a type. Any number is assignable to a numeric enum, hence the template literal. */
export type IsReflected<P> =
  IsAny<P> extends true
    ? false
    : [P] extends [string]
      ? string extends P
        ? true
        : false
      : [P] extends [number]
        ? `${number}` extends `${P}`
          ? true
          : false
        : [P] extends [boolean]
          ? boolean extends P
            ? true
            : false
          : [P] extends [bigint]
            ? bigint extends P
              ? true
              : false
            : [P] extends [Date]
              ? true
              : false;

/** How a type is written behind `type:`, as far as a sentence can say it. */
type Spelled<P> =
  IsAny<P> extends true
    ? '…'
    : unknown extends P
      ? '…'
      : null extends P
        ? `nullable(${Spelled<Exclude<P, null>>})`
        : [P] extends [string]
          ? string extends P
            ? 'String'
            : 'literal(…)'
          : [P] extends [number]
            ? `${number}` extends `${P}`
              ? 'Number'
              : 'literal(…)'
            : [P] extends [boolean]
              ? 'Boolean'
              : [P] extends [bigint]
                ? 'BigInt'
                : [P] extends [Date]
                  ? 'Date'
                  : [P] extends [readonly unknown[]]
                    ? number extends P['length']
                      ? `arrayOf(${Spelled<P[number]>})`
                      : 'tupleOf(…)'
                    : true extends IsUnion<P>
                      ? 'oneOf(…)'
                      : string extends keyof P
                        ? `recordOf(${Spelled<P[keyof P]>})`
                        : 'TheClass';

/** The option that would declare a type: `type: arrayOf(Number)`, `enum: […]`. */
export type Hint<P> = IsAny<P> extends true ? 'type: …' : [P] extends [string] | [number] ? 'enum: […]' : `type: ${Spelled<P>}`;

/** How a sentence names a parameter: by its name, else by its position. */
export type Named<Name, I> = Name extends '' ? `parameter #${I & number}` : `parameter \`${Name & string}\``;

/** A parameter's name in a line of code to write. */
export type InCode<Name> = Name extends '' ? '…' : Name & string;
