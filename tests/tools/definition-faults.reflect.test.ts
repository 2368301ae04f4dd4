import { Args, Ctx, Field, Param, Preview, Tool, ToolContext, ToolDefinitionError, Toolset } from 'toolwright';
import { ToolRegistry } from '../../src/tools/tool-registry';

/** The fault texts of a class, each as one line. */
function faultsOf(cls: Function): string[] {
  try {
    new ToolRegistry().toolsOf(cls);
  } catch (error) {
    if (!ToolDefinitionError.is(error)) throw error;
    return error.faults.map(({ where, what, fix }) => `${where}: ${what} -> ${fix}`);
  }
  return [];
}

// What the compiler refuses is written through this: the run-time check is for those who have no compiler, or silenced it.
const loose = (decorator: unknown): any => decorator;

test('everything that is wrong with a class is told at once, with place and fix', () => {
  class Weather {
    @Tool({ name: 'my tool!', timeout: -1 }) a(): void {}
    @Tool({ descriptoin: 'x' } as never) b(): void {}
    @Tool('') c(): void {}
    @loose(Tool('x')) d(@loose(Param('days')) days: number[]): unknown {
      return days;
    }
  }
  const faults = faultsOf(Weather).join('\n');
  expect(faults).toMatch(/Weather\.a: the tool's name "my tool!" is not legal.*name: 'my_tool'/);
  expect(faults).toMatch(/Weather\.a: `timeout` must be milliseconds.*not -1/);
  expect(faults).toMatch(/Weather\.b: there is no option `descriptoin`\. Did you mean `description`\?/);
  expect(faults).toMatch(/Weather\.c: `description` must be a text that is not empty, not ""/);
  expect(faults).toMatch(/Weather\.d, parameter #0 `days`.*Array.*arrayOf/);
});

test.each([
  [{ timeout: 0 }, 'timeout'],
  [{ timeout: Infinity }, 'timeout'],
  [{ timeout: '5' }, 'timeout'],
  [{ retries: 1.5 }, 'retries'],
  [{ retries: -1 }, 'retries'],
  [{ maxRepairs: NaN }, 'maxRepairs'],
  [{ requiresApproval: 'yes' }, 'requiresApproval'],
  [{ annotations: 'readOnly' }, 'annotations'],
  [{ annotations: { readonly: true } }, 'readonly'],
  [{ annotations: { readOnly: 1 } }, 'readOnly'],
  [{ sequential: 1 }, 'sequential'],
  [{ lock: 'key' }, 'lock'],
  [{ maxCalls: 0 }, 'maxCalls'],
  [{ cache: { ttl: 0 } }, 'cache'],
  [{ cache: { ttl: 5 } }, 'read-only'],
  [{ atomic: true, timeout: null }, 'atomic'],
  [{ trust: 'maybe' }, 'trust'],
  [{ tags: 'a' }, 'tags'],
  [{ tags: [''] }, 'tags'],
  [{ strict: 0 }, 'strict'],
  [{ maxResultChars: 0 }, 'maxResultChars'],
  [{ enabled: 'no' }, 'enabled'],
  [{ label: '' }, 'label'],
  [{ name: '' }, 'name'],
  [{ name: 'a'.repeat(65) }, '64'],
  [{ name: 'a.b' }, 'not legal'],
  [JSON.parse('{"__proto__":{"timeout":1}}') as object, '__proto__'],
])('%j is refused', (options, told) => {
  class Options {
    @Tool({ description: 'x', ...Object.fromEntries(Object.entries(options)) }) run(): void {}
  }
  const faults = faultsOf(Options);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(told);
});

test('options that are `undefined` count as not given', () => {
  class Undefined {
    @Tool({ description: 'x', name: undefined, timeout: undefined, tags: undefined }) run(): void {}
  }
  expect(new ToolRegistry().toolsOf(Undefined)[0]).toMatchObject({ name: 'run', behaviour: { timeout: 30_000, tags: [] } });
});

test('defaults are those of the documentation', () => {
  class Defaults {
    @Tool('x') plain(): void {}
    @Tool({ description: 'x', annotations: { idempotent: true } }) idempotent(): void {}
    @Tool({ description: 'x', annotations: { readOnly: true }, retries: 0 }) explicit(): void {}
  }
  const [plain, idempotent, explicit] = new ToolRegistry().toolsOf(Defaults);
  expect(plain?.behaviour).toEqual({
    timeout: 30_000,
    retries: 0,
    maxRepairs: 3,
    requiresApproval: false,
    annotations: {},
    sequential: false,
    lock: undefined,
    atomic: false,
    external: false,
    polling: false,
    returnDirect: false,
    enabled: true,
    maxCalls: undefined,
    cache: undefined,
    trust: 'trusted',
    tags: [],
    strict: true,
    maxResultChars: 20_000,
  });
  expect(idempotent?.behaviour.retries).toBe(1);
  expect(explicit?.behaviour.retries).toBe(0);
});

test('two tools of one name are told with both owners', () => {
  class Base {
    @Tool({ name: 'search', description: 'x' }) one(): void {}
  }
  class Twice extends Base {
    @Tool('x') search(): void {}
  }
  expect(faultsOf(Twice)).toEqual([expect.stringMatching(/`search`.*Base\.one and Twice\.search.*name/)]);
});

class Dto {
  @Field('x') x!: string;
}

test.each<[string, () => Function, RegExp]>([
  [
    'a parameter without a decorator',
    () => {
      class Bare {
        @loose(Tool('x')) run(@Param('a') a: string, b: string): string {
          return a + b;
        }
      }
      return Bare;
    },
    /Bare\.run, parameter #1.*no decorator.*@Param/,
  ],
  [
    'a rest parameter',
    () => {
      class Rest {
        @loose(Tool('x')) run(@loose(Param('all')) ...all: string[]): string {
          return all.join();
        }
      }
      return Rest;
    },
    /Rest\.run, parameter #0 `all`: it is a rest parameter.*arrayOf/,
  ],
  [
    '@Args beside @Param',
    () => {
      class Mixed {
        @loose(Tool('x')) run(@loose(Args()) dto: Dto, @loose(Param('a')) a: string): unknown {
          return [dto, a];
        }
      }
      return Mixed;
    },
    /Mixed\.run: @Args\(\) describes all arguments/,
  ],
  [
    'a default that the model is not told of',
    () => {
      class Default {
        @loose(Tool('x')) run(@loose(Param('n')) n: number = 3): number {
          return n;
        }
      }
      return Default;
    },
    /Default\.run, parameter #0 `n`: the method has a default.*default: …/,
  ],
  [
    'two parameters of one name',
    () => {
      class Same {
        @Tool('x') run(@Param('a') a: string, @Param('a') b: string): string {
          return a + b;
        }
      }
      return Same;
    },
    /Same\.run, parameter #1 `a`: the name or alias `a` is taken by Same\.run, parameter #0/,
  ],
  [
    'an alias that is another name',
    () => {
      class Alias {
        @Tool('x') run(@Param('a') a: string, @Param('b', { aliases: ['a'] }) b: string): string {
          return a + b;
        }
      }
      return Alias;
    },
    /Alias\.run, parameter #1 `b`: the name or alias `a` is taken/,
  ],
  [
    'two roles on one parameter',
    () => {
      class Roles {
        @loose(Tool('x')) run(@loose(Ctx()) @loose(Param('a')) a: string): string {
          return a;
        }
      }
      return Roles;
    },
    /Roles\.run, parameter #0.*more than one of @Param, @Args and @Ctx/,
  ],
  [
    '@Tool twice',
    () => {
      class Two {
        @Tool('x') @Tool('y') run(): void {}
      }
      return Two;
    },
    /Two\.run: it carries @Tool\(\) twice/,
  ],
  [
    'parameters decorated on a method that is no tool',
    () => {
      class Stray {
        @Tool('x') run(): void {}
        helper(@Param('a') a: string): string {
          return a;
        }
      }
      return Stray;
    },
    /Stray\.helper: its parameters are decorated, but the method itself is not a tool.*@Tool/,
  ],
  [
    'a preview of nothing',
    () => {
      class Previews {
        @Tool('x') remove(): void {}
        @loose(Preview('remoev')) show(): void {}
      }
      return Previews;
    },
    /Previews\.show: there is no tool method `remoev`.*Did you mean `remove`\?/,
  ],
  [
    'a decorator on a static method',
    () => {
      class Static {
        @loose(Tool('x')) static run(): void {}
      }
      return Static;
    },
    /static Static\.run: @Tool\(\) stands on a static member/,
  ],
  [
    'an @Args() whose class was erased',
    () => {
      class Erased {
        @loose(Tool('x')) run(@loose(Args()) dto: Record<string, string>): unknown {
          return dto;
        }
      }
      return Erased;
    },
    /Erased\.run, parameter #0.*(erased to Object|@Args).*@Args\(\(\) => TheDto\)/,
  ],
  [
    'an option of @Toolset that there is not',
    () => {
      @loose(Toolset({ prefx: 'a_' } as never))
      class Set {
        @Tool('x') run(): void {}
      }
      return Set;
    },
    /@Toolset\(\) of Set: there is no option `prefx`\. Did you mean `prefix`\?/,
  ],
  [
    'a prefix that makes a name too long',
    () => {
      @Toolset({ prefix: `${'p'.repeat(62)}_` })
      class Long {
        @Tool('x') run(): void {}
      }
      return Long;
    },
    /Long\.run.*66 characters long/,
  ],
])('%s is a fault', (_, make, expected) => {
  const faults = faultsOf(make());
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(expected);
});

test('@Param() without a name takes it from the source text, and says so where it cannot', () => {
  class Named {
    @Tool('x') run(@Param() city: string, @Param() /* how many */ days: number): unknown {
      return [city, days];
    }
  }
  const [tool] = new ToolRegistry().toolsOf(Named);
  expect(Object.keys(tool?.contract.schema.properties as object)).toEqual(['city', 'days']);

  const wrap = (_: object, __: string, descriptor: PropertyDescriptor): PropertyDescriptor => ({
    ...descriptor,
    value: (...args: unknown[]) => args,
  });
  class Wrapped {
    @wrap @Tool('x') run(@Param() city: string): unknown {
      return city;
    }
  }
  expect(faultsOf(Wrapped)).toEqual([expect.stringMatching(/parameter #0: @Param\(\) was given no name, and none can be read/)]);
});

test("a wrapper's `...args` is not taken for a rest parameter of the tool", () => {
  const wrap = (_: object, __: string, descriptor: PropertyDescriptor): PropertyDescriptor => {
    const inner = descriptor.value as (...args: unknown[]) => unknown;
    return {
      ...descriptor,
      value(...args: unknown[]) {
        return inner.apply(this, args);
      },
    };
  };
  class Wrapped {
    @wrap @Tool('x') run(@Param('s', 'A text') s: string): string {
      return s;
    }
  }
  expect(faultsOf(Wrapped)).toEqual([]);
});

test('a bare @Tool() is described by its name in words, with one warning', () => {
  class Bare {
    @Tool() getHTTPStatus(): void {}
  }
  const [tool] = new ToolRegistry().toolsOf(Bare);
  expect(tool).toMatchObject({ name: 'get_http_status', description: 'Get http status', label: 'Get http status' });
  expect(tool?.warnings).toEqual([expect.stringContaining('Bare.getHTTPStatus has no description')]);
});

test('a preview runs with the same arguments as its tool', () => {
  class Files {
    @Tool('Deletes') remove(@Param('path', 'A path') path: string): string {
      return `removed ${path}`;
    }
    @Preview('remove') show(path: string): string {
      return `would remove ${path}`;
    }
  }
  const [tool] = new ToolRegistry().toolsOf(Files);
  expect(tool?.preview?.(new Files(), { path: '/a' }, {} as ToolContext)).toBe('would remove /a');
});

test('@Field() on a class of tools does nothing, which nobody means', () => {
  class Base {
    @Field({ type: String }) city!: string;
  }
  class Weather extends Base {
    @Tool('Current weather.') current(): number {
      return 2;
    }
  }
  expect(faultsOf(Weather)).toEqual([expect.stringMatching(/^Base\.city: it carries @Field\(\).*into the DTO/)]);
});
