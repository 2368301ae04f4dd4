import 'reflect-metadata';

/**
 * Says that a service of this room may be built by any container. The compiler writes down the types of a constructor only where a class has
 * one; for the others this says that they need nothing.
 */
export function Injectable(): ClassDecorator {
  return (cls) => {
    if (!Reflect.hasOwnMetadata('design:paramtypes', cls)) Reflect.defineMetadata('design:paramtypes', [], cls);
  };
}
