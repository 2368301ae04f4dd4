import 'reflect-metadata';

/**
 * What the compiler said of one position.
 *
 * `class` may be used as it is; `enum` is an enum object (some compilers give one); `context` is the `ToolContext`;
 * `erased` says nothing usable (`was` tells what stood there); `absent` means that the compiler wrote no metadata at all.
 */
export type Reflected =
  | { readonly kind: 'class'; readonly type: Function }
  | { readonly kind: 'enum'; readonly members: { readonly [member: string]: string | number } }
  | { readonly kind: 'context' }
  | { readonly kind: 'erased'; readonly was: 'Array' | 'Object' | 'Function' | 'Promise' | 'Symbol' | 'undefined' }
  | { readonly kind: 'absent' };

/** The static property by which a reflected type is known to be the context, also from another copy of the package. */
export const CONTEXT_BRAND = Symbol.for('toolwright.ToolContext');

const ABSENT: Reflected = Object.freeze({ kind: 'absent' });

/** What is known of a method's parameters, in order, or of a constructor's where no method is given; `undefined` without metadata. */
export function reflectedParameters(cls: Function, method?: string): readonly Reflected[] | undefined {
  const types: unknown =
    method === undefined
      ? Reflect.getOwnMetadata('design:paramtypes', cls)
      : Reflect.getOwnMetadata('design:paramtypes', cls.prototype as object, method);
  return Array.isArray(types) ? types.map(read) : undefined;
}

/** What is known of a property. */
export function reflectedProperty(cls: Function, property: string): Reflected {
  const target = cls.prototype as object;
  return Reflect.hasOwnMetadata('design:type', target, property) ? read(Reflect.getOwnMetadata('design:type', target, property)) : ABSENT;
}

function read(type: unknown): Reflected {
  if (type === undefined || type === null) return { kind: 'erased', was: 'undefined' };
  if (typeof type === 'object') return { kind: 'enum', members: type as { readonly [member: string]: string | number } };
  if (typeof type !== 'function') return { kind: 'erased', was: 'Object' };
  if (type === Object) return { kind: 'erased', was: 'Object' };
  if (type === Array) return { kind: 'erased', was: 'Array' };
  if (type === Function) return { kind: 'erased', was: 'Function' };
  if (type === Promise) return { kind: 'erased', was: 'Promise' };
  if (type === Symbol) return { kind: 'erased', was: 'Symbol' };
  if ((type as { [CONTEXT_BRAND]?: unknown })[CONTEXT_BRAND] === true) return { kind: 'context' };
  return { kind: 'class', type };
}
