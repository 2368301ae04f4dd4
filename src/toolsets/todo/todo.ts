import type { State } from '../../types/state-operation';

export const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export const PRIORITIES = ['low', 'medium', 'high'] as const;
/** How far a todo is. */
export type TodoStatus = (typeof STATUSES)[number];
/** How much a todo matters. */
export type TodoPriority = (typeof PRIORITIES)[number];

/** One item of `state.todos`; times are ISO 8601, in UTC. */
export interface Todo {
  readonly id: string;
  readonly title: string;
  readonly status: TodoStatus;
  readonly priority: TodoPriority;
  readonly notes?: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** `null` while it is not completed. */
  readonly completed_at: string | null;
}

/** The todos in a state; what is none, since the host or another tool put it there, is left out. */
export function todosIn(state: State): readonly Todo[] {
  const todos: unknown = Object.hasOwn(state, 'todos') ? state.todos : undefined;
  return Array.isArray(todos) ? todos.filter(isTodo) : [];
}

function isTodo(item: unknown): item is Todo {
  if (typeof item !== 'object' || item === null) return false;
  const { id, title, status } = item as Partial<Todo>;
  return typeof id === 'string' && typeof title === 'string' && STATUSES.some((known) => known === status);
}

/** How many there are of each status. */
export function countsOf(todos: readonly Todo[]): Readonly<Record<TodoStatus | 'total', number>> {
  const counts = { total: todos.length, pending: 0, in_progress: 0, completed: 0, cancelled: 0 };
  for (const { status } of todos) counts[status]++;
  return counts;
}

/**
 * An id that no todo has: one more than the highest number, and further on for later calls of the same answer, which see the same list.
 * @param position the call's place in its answer, from 0
 */
export function freshId(todos: readonly Todo[], position: number): string {
  const numbers = todos.map(({ id }) => Number(/^todo_(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `todo_${Math.max(0, ...numbers) + 1 + position}`;
}
