import { wrapExternal } from '../../trust/fence';
import type { Todo, TodoStatus } from './todo';

const HEADINGS: Readonly<Record<TodoStatus, string>> = {
  pending: 'To do',
  in_progress: 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
};
const ORDER: readonly TodoStatus[] = ['in_progress', 'pending', 'completed', 'cancelled'];
/** Of those that are done, the newest are enough. */
const MOST_DONE = 10;
const MOST = 100;
const LONGEST_TITLE = 200;

/** What the model is told of its list when a run begins: the items by status, as data, since their titles may come from anywhere. */
export function todoInstructions(todos: readonly Todo[]): string {
  const rule =
    'Keep track of work with several steps in the todo tools: add the steps, mark one in_progress while you work on it, complete it when it is done.';
  if (todos.length === 0) return `${rule} The list is empty.`;
  const groups = ORDER.flatMap((status) => groupOf(todos, status));
  return `${rule} The list as this run begins:\n${wrapExternal(groups.join('\n'), { source: 'todos' })}`;
}

function groupOf(todos: readonly Todo[], status: TodoStatus): string[] {
  const all = todos.filter((todo) => todo.status === status);
  if (all.length === 0) return [];
  const isOver = status === 'completed' || status === 'cancelled';
  const shown = isOver ? all.slice(-MOST_DONE) : all.slice(0, MOST);
  const more = all.length > shown.length ? [`- (${all.length - shown.length} more)`] : [];
  return [`${HEADINGS[status]} (${all.length}):`, ...shown.map(lineOf), ...more];
}

function lineOf({ id, title, priority }: Todo): string {
  const words = title.replace(/\s+/g, ' ').trim();
  const text = words.length > LONGEST_TITLE ? `${words.slice(0, LONGEST_TITLE)}…` : words;
  return `- [${id}] ${text}${priority === 'medium' ? '' : ` (${priority})`}`;
}
