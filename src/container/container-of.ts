import { UsageError } from '../errors/usage-error';
import { BuildingContainer } from './building-container';
import type { Container } from './container';
import { PortContainer } from './port-container';
import { TypediContainer } from './typedi-container';
import { isTypediClass, isTypediInstance } from './typedi-module';

/**
 * The container behind whatever the user handed in: nothing (typedi's default container), typedi's `Container` or one of its
 * instances, or any object with `get` and `has`.
 *
 * Each call gives a container of its own: what it builds for classes that nobody registered, its `close()` disposes.
 * @throws UsageError where the value is none of these
 * @example containerOf(Container.of('tenant'))
 */
export function containerOf(container?: unknown): BuildingContainer {
  if (container === undefined) return new TypediContainer();
  if (container instanceof BuildingContainer) return container;
  if (isTypediClass(container) || isTypediInstance(container)) return new TypediContainer(container);
  if (isPort(container)) return new PortContainer(container);
  throw new UsageError(
    "The container has no `get(token)` and `has(token)`. Pass typedi's `Container`, or an object with both: " +
      '`new AgentRunner({ container: { get: (token) => ..., has: (token) => ... } })`.',
  );
}

function isPort(value: unknown): value is Container {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const { get, has } = value as { readonly get?: unknown; readonly has?: unknown };
  return typeof get === 'function' && typeof has === 'function';
}
