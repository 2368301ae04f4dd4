// On `globalThis`, so that two copies of the package in one process know the same classes. References are weak.
const INDEX = Symbol.for('toolwright.v1.classes');
type ClassIndex = Set<WeakRef<Function>>;

const seen = new WeakSet<Function>();

function index(): ClassIndex {
  const holder = globalThis as { [INDEX]?: ClassIndex };
  return (holder[INDEX] ??= new Set());
}

/** Makes a class known to `ToolRegistry`. */
export function rememberClass(cls: Function): void {
  if (seen.has(cls)) return;
  seen.add(cls);
  index().add(new WeakRef(cls));
}

/** The classes that a decorator of this package touched and that still exist, in that order. */
export function knownClasses(): Function[] {
  const classes = new Set<Function>();
  for (const reference of index()) {
    const cls = reference.deref();
    if (cls === undefined) index().delete(reference);
    else classes.add(cls);
  }
  return [...classes];
}
