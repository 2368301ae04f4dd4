import type { Transform } from './type-node';

/** What is read of class-transformer's storage; structural, so that no typings are imported. */
interface TypeMetadata {
  readonly typeFunction: (options?: object) => unknown;
  readonly options?: {
    readonly keepDiscriminatorProperty?: boolean;
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly name: string | number; readonly value: unknown }[];
    };
  };
}
interface ExposureMetadata {
  readonly propertyName?: string;
  readonly options?: { readonly name?: string; readonly toClassOnly?: boolean; readonly toPlainOnly?: boolean };
}
interface TransformMetadata {
  readonly options?: { readonly toPlainOnly?: boolean };
  readonly transformFn: (params: object) => unknown;
}
interface TransformerStorage {
  readonly _typeMetadatas?: ReadonlyMap<Function, ReadonlyMap<string, TypeMetadata>>;
  readonly _transformMetadatas?: ReadonlyMap<Function, ReadonlyMap<string, readonly TransformMetadata[]>>;
  findTypeMetadata(cls: Function, property: string): TypeMetadata | undefined;
  findTransformMetadatas(cls: Function, property: string, direction: number): TransformMetadata[];
  findExposeMetadata(cls: Function, property: string | undefined): ExposureMetadata | undefined;
  findExcludeMetadata(cls: Function, property: string | undefined): ExposureMetadata | undefined;
  getExposedProperties(cls: Function, direction: number): (string | undefined)[];
  getStrategy(cls: Function): string;
}

const PLAIN_TO_CLASS = 0;

let storage: TransformerStorage | null | undefined;

/** class-transformer's decorators say more than its own engine can be trusted with: they are read, and our codec builds. */
function loaded(): TransformerStorage | undefined {
  if (storage === undefined) {
    try {
      // The storage alone is three small files; a class that uses the decorators has loaded it already.
      storage = (require('class-transformer/cjs/storage') as { defaultMetadataStorage: TransformerStorage }).defaultMetadataStorage;
    } catch {
      storage = null;
    }
  }
  return storage ?? undefined;
}

/** The properties of one class itself that carry `@Type` or `@Transform`: nobody decorates what should not be filled. */
export function convertedProperties(owner: Function): readonly string[] {
  const known = loaded();
  const typed = known?._typeMetadatas?.get(owner)?.keys() ?? [];
  const transformed = [...(known?._transformMetadatas?.get(owner) ?? [])].filter(([, all]) =>
    all.some(({ options }) => options?.toPlainOnly !== true),
  );
  return [...typed, ...transformed.map(([property]) => property)];
}

/** Properties that only class-transformer knows of. */
export const exposedProperties = (cls: Function): readonly string[] =>
  (loaded()?.getExposedProperties(cls, PLAIN_TO_CLASS) ?? []).filter((name): name is string => typeof name === 'string');

/** The type of a property by `@Type`, as the function that was given. */
export const typeMetadata = (cls: Function, property: string): TypeMetadata | undefined => loaded()?.findTypeMetadata(cls, property);

/** The name of a property on the wire, by `@Expose({ name })`. */
export function exposedName(cls: Function, property: string): string | undefined {
  const options = loaded()?.findExposeMetadata(cls, property)?.options;
  return options?.toPlainOnly === true ? undefined : options?.name;
}

/** Whether a property never comes from outside, by `@Exclude`. */
export function isExcluded(cls: Function, property: string): boolean {
  const known = loaded();
  if (known === undefined) return false;
  const exclusion = known.findExcludeMetadata(cls, property);
  if (exclusion !== undefined) return exclusion.options?.toPlainOnly !== true;
  return known.getStrategy(cls) === 'excludeAll' && !known.getExposedProperties(cls, PLAIN_TO_CLASS).includes(property);
}

/** The `@Transform` functions of a property, in the order in which class-transformer runs them. */
export function transformsOf(cls: Function, property: string): readonly Transform[] {
  const found = loaded()?.findTransformMetadatas(cls, property, PLAIN_TO_CLASS) ?? [];
  return found.map(
    ({ transformFn }) =>
      (value, source) =>
        transformFn({ value, key: property, obj: { ...source }, type: PLAIN_TO_CLASS, options: {} }),
  );
}
