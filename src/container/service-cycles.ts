import type { WiringFault } from '../errors/wiring-error';

/** A class to build and what it needs. */
export interface ServiceNode {
  readonly name: string;
  readonly transient: boolean;
  /** What its constructor takes. */
  readonly early: ServiceNode[];
  /** What is put into its properties once it is built. */
  readonly late: ServiceNode[];
}

/**
 * The circles that cannot be built. One that passes through a property of a class that is kept can: the instance is there
 * when the property is set.
 */
export function cycleFaults(nodes: Iterable<ServiceNode>): WiringFault[] {
  const all = [...nodes];
  const early = cycles(all, (node) => node.early).map((circle): WiringFault => {
    const [first, last] = [circle[0]!.name, circle.at(-1)!.name];
    return {
      where: written(circle),
      what: 'each needs the next in its constructor, so none can be built first',
      fix:
        `inject one of them as a property, in ${last}: \`@Inject(() => ${first}) ${first.charAt(0).toLowerCase()}${first.slice(1)}!: ${first}\`, ` +
        'or move what they share to a class of its own',
    };
  });
  const known = new Set(early.map((fault) => fault.where));
  const endless = cycles(
    all.filter((node) => node.transient),
    (node) => [...node.early, ...node.late].filter((next) => next.transient),
  )
    .map((circle) => written(circle))
    .filter((where) => !known.has(where))
    .map((where): WiringFault => {
      return {
        where,
        what: 'all of them are transient, so each would make a new one of the next, without end',
        fix: 'drop `transient: true` from one of them',
      };
    });
  return [...early, ...endless];
}

const written = (circle: readonly ServiceNode[]): string => [...circle, circle[0]!].map((node) => node.name).join(' -> ');

/** At least one circle of each knot: depth first, each way back to a node under way is one. */
function cycles(nodes: readonly ServiceNode[], next: (node: ServiceNode) => readonly ServiceNode[]): ServiceNode[][] {
  const found: ServiceNode[][] = [];
  const done = new Set<ServiceNode>();
  const path: ServiceNode[] = [];
  const visit = (node: ServiceNode): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      found.push(path.slice(at));
      return;
    }
    if (done.has(node)) return;
    path.push(node);
    next(node).forEach(visit);
    path.pop();
    done.add(node);
  };
  nodes.forEach(visit);
  return found;
}
