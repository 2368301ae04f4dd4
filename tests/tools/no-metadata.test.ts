import { transformSync } from 'esbuild';
import * as toolwright from 'toolwright';
import { ToolDefinitionError, type ToolContext } from 'toolwright';

/** Compiles a class as esbuild and tsx do, without type metadata, and gives it. */
function withoutMetadata(source: string): any {
  const { code } = transformSync(`import { Agent, Args, Ctx, Field, Param, Tool } from 'toolwright';\n${source}`, {
    loader: 'ts',
    format: 'cjs',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  const module = { exports: {} as Record<string, unknown> };

  new Function('require', 'module', 'exports', code)(() => toolwright, module, module.exports);
  return module.exports.Subject;
}
const faultsOf = (cls: Function): readonly toolwright.DefinitionFault[] => {
  try {
    new toolwright.ToolRegistry().toolsOf(cls);
  } catch (error) {
    if (ToolDefinitionError.is(error)) return error.faults;
    throw error;
  }
  return [];
};

test('a class whose types are all written works without any metadata', async () => {
  const Subject = withoutMetadata(`
    class Dto { @Field({ type: String }) city!: string }
    export class Subject {
      @Tool('x') typed(@Param('days', { type: Number }) days: number, @Param('unit', { enum: ['c', 'f'] }) unit: string, @Ctx() context: unknown) { return [days, unit, context]; }
      @Tool('y') dto(@Args(() => Dto) dto: Dto, @Ctx() context: unknown) { return [dto.city, context]; }
      @Tool('z') none() { return 1; }
    }`);
  const [typed, dto, none] = new toolwright.ToolRegistry().toolsOf(Subject as Function);
  const context = {} as ToolContext;
  expect(typed?.contract.schema).toMatchObject({ properties: { days: { type: 'number' }, unit: { enum: ['c', 'f'] } } });
  expect(typed?.call(new Subject() as object, { days: 1, unit: 'c' }, context)).toEqual([1, 'c', context]);
  const decoded = await dto?.contract.decode({ city: 'Oslo' });
  expect(dto?.call(new Subject() as object, (decoded as { value: unknown }).value, context)).toEqual(['Oslo', context]);
  expect(none?.call(new Subject() as object, {}, context)).toBe(1);
});

test('a class that needs metadata gets one fault that names every place, the runner and both fixes', () => {
  const Subject = withoutMetadata(`
    export class Subject {
      @Tool('x') one(@Param('city', 'City') city: string, @Param('days', 'Days') days: number) { return [city, days]; }
      @Tool('y') two(@Param('a') a: string) { return a; }
    }`);
  const faults = faultsOf(Subject as Function);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.where).toBe('Subject.one, parameter #0 `city`');
  expect(faults[0]?.what).toMatch(/Subject.*esbuild and tsx.*emitDecoratorMetadata.*parameter #1 `days`.*Subject\.two, parameter #0 `a`/);
  expect(faults[0]?.fix).toMatch(/@Param\('city', \{ type: String, description: 'City' \}\)/);
});

test('an unmarked context cannot be seen without metadata, and the fault says what to write', () => {
  const Subject = withoutMetadata(`
    export class Subject { @Tool('x') run(context: unknown) { return context; } }`);
  expect(faultsOf(Subject as Function)).toEqual([
    expect.objectContaining({ where: 'Subject.run, parameter #0', what: expect.stringContaining('@Ctx()') as unknown }),
  ]);
});
