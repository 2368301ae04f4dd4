import { Param, Tool, ToolRegistry } from 'toolwright';

class Weather {
  @Tool('x') forecast(@Param('city', 'City') city: string): string {
    return city;
  }
}
class Explicit {
  @Tool('x') forecast(@Param('city', { type: String }) city: string): string {
    return city;
  }
}

test('without emitted metadata a tool is an error that names class, method, parameter and fix; never an empty schema', () => {
  Reflect.deleteMetadata('design:paramtypes', Weather.prototype, 'forecast');
  expect(() => new ToolRegistry().toolsOf(Weather)).toThrow(
    /Weather\.forecast, parameter #0 `city`[^]*emitDecoratorMetadata[^]*@Param\('city', \{ type: String, description: 'City' \}\)/,
  );
});

test('explicit types need no metadata', () => {
  Reflect.deleteMetadata('design:paramtypes', Explicit.prototype, 'forecast');
  expect(new ToolRegistry().toolsOf(Explicit)[0]?.contract.schema).toMatchObject({ required: ['city'] });
});
