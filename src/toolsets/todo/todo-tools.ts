import { Ctx } from '../../decorators/ctx';
import { Param } from '../../decorators/param';
import { Tool } from '../../decorators/tool';
import { Toolset } from '../../decorators/toolset';
import { ContextUpdate } from '../../tools/context-update';
import { ToolContext } from '../../tools/tool-context';
import { ToolResult } from '../../tools/tool-result';
import { countsOf, freshId, PRIORITIES, STATUSES, todosIn, type Todo, type TodoPriority, type TodoStatus } from './todo';
import { todoInstructions } from './todo-list';

const TITLE = { type: String, minLength: 1, maxLength: 500, aliases: ['text', 'task', 'content', 'name'] } as const;
const ID = { type: String, description: 'The id of the todo, such as "todo_3"', minLength: 1, aliases: ['todo_id', 'task_id'] } as const;
const NOTES = { type: String, description: 'Anything worth keeping with it', maxLength: 4_000, aliases: ['note', 'details'] } as const;
const STATUS = { enum: STATUSES, aliases: ['state'] } as const;
const PRIORITY = { enum: PRIORITIES } as const;
const MOST_TODOS = 500;

/**
 * A list of things to do in the run's state, under `todos`: pass `result.state` to the next run, and the list goes on. Several changes in one answer
 * all hold. At each run start the model is told the list, by status.
 * @example `@AgentConfig({ instructions: 'You plan trips.', toolsets: [TodoTools] })`
 */
@Toolset({
  tags: ['todos'],
  annotations: { readOnly: false, destructive: false, openWorld: false },
  // The list is the run's own memory: nothing in it leaves, and nothing outside changes.
  taintExempt: () => true,
  instructions: (context) => todoInstructions(todosIn(context.state)),
})
export class TodoTools {
  @Tool('Add one thing to do.')
  addTodo(
    @Param('title', { ...TITLE, description: 'What is to be done' }) title: string,
    @Param('priority', { ...PRIORITY, default: 'medium' }) priority: TodoPriority,
    @Param('status', { ...STATUS, default: 'pending' }) status: TodoStatus,
    @Param('notes', { ...NOTES, optional: true }) notes: string | undefined,
    @Ctx() context: ToolContext,
  ) {
    const todos = todosIn(context.state);
    if (todos.length >= MOST_TODOS) return ToolResult.error(`There are ${MOST_TODOS} todos already. Delete those that are done first.`);
    const now = context.timestamp.toISOString();
    const { id, ...fields }: Todo = {
      id: freshId(todos, positionOf(context)),
      title,
      status,
      priority,
      ...(notes === undefined ? {} : { notes }),
      created_at: now,
      updated_at: now,
      completed_at: status === 'completed' ? now : null,
    };
    return ToolResult.success({ id, ...fields }, { message: 'Added.', update: ContextUpdate.of().mergeItem('todos', 'id', id, fields) });
  }

  @Tool({ description: 'Change a todo: only what is given changes.', annotations: { idempotent: true } })
  updateTodo(
    @Param('id', ID) id: string,
    @Param('title', { ...TITLE, description: 'What is to be done', optional: true }) title: string | undefined,
    @Param('status', { ...STATUS, optional: true }) status: TodoStatus | undefined,
    @Param('priority', { ...PRIORITY, optional: true }) priority: TodoPriority | undefined,
    @Param('notes', { ...NOTES, optional: true }) notes: string | undefined,
    @Ctx() context: ToolContext,
  ) {
    const changes = Object.fromEntries(Object.entries({ title, status, priority, notes }).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length === 0) return ToolResult.error('Nothing to change was given. Give title, status, priority or notes.');
    return this.change(id, changes, 'Updated.', context);
  }

  @Tool({ description: 'Mark a todo as completed.', annotations: { idempotent: true } })
  completeTodo(@Param('id', ID) id: string, @Ctx() context: ToolContext) {
    return this.change(id, { status: 'completed' }, 'Completed.', context);
  }

  @Tool({ description: 'Delete a todo.', annotations: { idempotent: true } })
  deleteTodo(@Param('id', ID) id: string, @Ctx() context: ToolContext) {
    const todos = todosIn(context.state);
    const todo = todos.find((one) => one.id === id);
    if (todo === undefined) return missing(id, todos);
    return ToolResult.success(todo, { message: 'Deleted.', update: ContextUpdate.of().removeItem('todos', 'id', id) });
  }

  @Tool({ description: 'List the todos, with how many there are of each status.', annotations: { readOnly: true } })
  listTodos(
    @Param('status', { ...STATUS, description: 'Only those', optional: true }) status: TodoStatus | undefined,
    @Param('priority', { ...PRIORITY, description: 'Only those', optional: true }) priority: TodoPriority | undefined,
    @Ctx() context: ToolContext,
  ) {
    const todos = todosIn(context.state);
    const shown = todos.filter((todo) => (status ?? todo.status) === todo.status && (priority ?? todo.priority) === todo.priority);
    return { todos: shown, counts: countsOf(todos) };
  }

  private change(id: string, changes: Partial<Omit<Todo, 'id'>>, message: string, context: ToolContext): ToolResult {
    const todos = todosIn(context.state);
    const todo = todos.find((one) => one.id === id);
    if (todo === undefined) return missing(id, todos);
    const now = context.timestamp.toISOString();
    const isNew = changes.status !== undefined && changes.status !== todo.status;
    const fields = { ...changes, updated_at: now, ...(isNew && { completed_at: changes.status === 'completed' ? now : null }) };
    return ToolResult.success({ ...todo, ...fields }, { message, update: ContextUpdate.of().mergeItem('todos', 'id', id, fields) });
  }
}

function missing(id: string, todos: readonly Todo[]): ToolResult {
  return ToolResult.error({ code: 'not_found', id, available_ids: todos.map((todo) => todo.id) });
}

/** The call's place in its answer, from 0: the last part of its key. */
function positionOf({ idempotencyKey }: ToolContext): number {
  return Number(/:(\d{1,6})$/.exec(idempotencyKey)?.[1] ?? 0);
}
