import { readArgumentText, transcriptArguments } from '../../src/invocation/argument-text';

const read = (text: string): unknown => {
  const reading = readArgumentText(text);
  return reading.ok ? reading.value : reading.problem;
};

describe('the argument text', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['null', {}],
    ['""', {}],
    ['{"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['```\n{"a":1}\n```', { a: 1 }],
    ['Here are the arguments: {"a":1}. Done!', { a: 1 }],
    ['{"a":1}<|call|>', { a: 1 }],
    ["{'a':'it\\'s'}", { a: "it's" }],
    ['{a:1,}', { a: 1 }],
    ['{"a":.5}', { a: 0.5 }],
    ['{"a":1 /* one */}', { a: 1 }],
    ['{"a":"x\ny\tz"}', { a: 'x\ny\tz' }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['I\'d say {"q":"a } b"}', { q: 'a } b' }],
  ])('%j has one reading', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ['{"a":1}{"b":2}'],
    ['{"a":1}{"a":1}'],
    ['{"a":1'],
    ['{"a":"x'],
    ['{"a":[1,2'],
    ['{"a":1}}'],
    ['[{"a":1}'],
    ['from: {"x":1}'],
    ['"from": {"x":1}'],
    ['{"x":1}, speed: 3'],
    ['{"p":"C:\\Users"}'],
    ['{"re":"\\d+"}'],
    ['{"re":"\\x41"}'],
    ['{"p":"a\\\nb"}'],
    ['{"a":NaN}'],
    ['{"a":Infinity}'],
    ['{"a":05}'],
    ['{"a":True}'],
    ['{city: Paris'],
    ['not json'],
    ['{"a":undefined}'],
    ["{'a': 'it's'}"],
  ])('%j is refused rather than guessed', (text) => {
    expect(read(text)).toMatch(/^The arguments are not valid JSON: /);
  });

  it.each([
    ['[1]', 'a list'],
    ['5', 'a number'],
    ['true', 'a boolean'],
    ['"text"', 'a string'],
    ['"[1]"', 'a string'],
  ])('%j is JSON but no object of arguments', (text, kind) => {
    expect(read(text)).toContain(`JSON object`);
    expect(read(text)).toContain(`got ${kind}`);
  });

  it('that was encoded three times is not decoded for ever', () => {
    expect(read(JSON.stringify(JSON.stringify(JSON.stringify({ a: 1 }))))).toContain('got a string');
  });

  it.each([
    ['{"query":' + '['.repeat(100_000) + ']'.repeat(100_000) + '}'],
    ['{"query":' + '['.repeat(100_000)],
    ['{'.repeat(100_000)],
    ["{a:'" + '"\\"'.repeat(100_000) + "'}"],
    ['{"a":' + '"\\"'.repeat(80_000) + '}'],
    ['{a:' + '['.repeat(3_000) + ']'.repeat(3_000) + '}'],
    ['{"a":"' + '\\'.repeat(100_001) + '"}'],
  ])('that nests or repeats without end is an error in time, not a crash (%#)', (text) => {
    const began = process.cpuUsage();
    expect(read(text)).toContain('JSON');
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  });

  it('names the place where it breaks, shortly', () => {
    expect(String(read('{"a":1,,"b":2}')).length).toBeLessThan(300);
    expect(String(read(`{"a":"${'x'.repeat(1_000_000)}`)).length).toBeLessThan(300);
    expect(read('x'.repeat(20_000_000))).toContain('20000000 characters');
  });

  it('takes long texts that are valid', () => {
    expect(read(`{"a":"${'x'.repeat(5_000_000)}"}`)).toMatchObject({ a: expect.stringMatching(/^x{10}/) });
  });

  it('pollutes no prototype, by neither grammar', () => {
    for (const text of [
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
      "{__proto__:{admin:true},'constructor':{prototype:{admin:true}}}",
    ]) {
      const value = read(text) as Record<string, unknown>;
      expect(value['admin']).toBeUndefined();
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});

describe('the arguments in the transcript', () => {
  it.each([
    ['{"a": 1}', '{"a": 1}'],
    ['{"id":2512292042121000001}', '{"id":2512292042121000001}'],
    ['', '{}'],
    ['null', '{}'],
    ['{a:1,}', '{"a":1}'],
    ['"{\\"a\\":1}"', '{"a":1}'],
    ['{"a":1', '{}'],
    ['[1]', '{}'],
  ])('%j stand there as %j', (text, kept) => {
    expect(transcriptArguments(text)).toBe(kept);
  });
});

describe('any JSON object', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

  it(`passes unchanged (seed ${seed})`, () => {
    const random = randomOf(seed);
    for (let round = 0; round < 2_000; round++) {
      const value = { [word(random)]: anyValue(random, 0), [word(random)]: anyValue(random, 0) };
      const text = JSON.stringify(value, null, random() < 0.3 ? 2 : 0);
      expect(readArgumentText(text)).toEqual({ ok: true, value: JSON.parse(text), repaired: false });
      expect(transcriptArguments(text)).toBe(text);
    }
  });

  it(`cut anywhere is never closed (seed ${seed})`, () => {
    const random = randomOf(seed);
    for (let round = 0; round < 2_000; round++) {
      const text = JSON.stringify({ [word(random)]: anyValue(random, 0) });
      const cut = text.slice(0, 1 + Math.floor(random() * (text.length - 1)));
      expect(readArgumentText(cut).ok).toBe(false);
    }
  });

  it(`in a fence or between sentences reads as itself (seed ${seed})`, () => {
    const random = randomOf(seed);
    for (let round = 0; round < 500; round++) {
      const value = { [word(random)]: anyValue(random, 0) };
      const text = JSON.stringify(value);
      for (const dressed of [`\`\`\`json\n${text}\n\`\`\``, `I'll call it with ${text} now.`])
        expect(readArgumentText(dressed)).toEqual({ ok: true, value: JSON.parse(text), repaired: true });
    }
  });
});

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PIECES = ['a', 'b"', "'", '\\', '{', '}', '[', ']', ',', ':', '\n', '\u2028', 'é', '😀', '//', '/*', '```', ' ', '0', 'null'];

function word(random: () => number): string {
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
}

function anyValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
  if (kind === 0) return word(random);
  if (kind === 1) return Math.round((random() - 0.5) * 1e6) / 100;
  if (kind === 2) return random() < 0.5;
  if (kind === 3) return null;
  const length = Math.floor(random() * 4);
  if (kind === 4) return Array.from({ length }, () => anyValue(random, depth + 1));
  return Object.fromEntries(Array.from({ length }, () => [word(random), anyValue(random, depth + 1)]));
}
