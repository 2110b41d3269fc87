import fc from 'fast-check';
import { findExcess, JsonBounds, JsonExcess } from './json-scan';

const NO_BOUND = { depthMax: Infinity, valuesMax: Infinity, namesMax: Infinity };

const excessOf = (text: string, bounds: Partial<JsonBounds>) =>
  findExcess(Buffer.from(text), { ...NO_BOUND, ...bounds });

/** What a value holds, counted on the value. */
function holdings(value: unknown): { depth: number; values: number; names: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0, names: 0 };
  const children = Object.values(value).map(holdings);
  const sum = (of: (child: ReturnType<typeof holdings>) => number) => children.map(of).reduce((a, b) => a + b, 0);
  return {
    depth: 1 + Math.max(0, ...children.map(({ depth }) => depth)),
    values: children.length + sum(({ values }) => values),
    names: (Array.isArray(value) ? 0 : children.length) + sum(({ names }) => names),
  };
}

describe('findExcess', () => {
  it('counts in the text what the parsed value holds, however it is written', () => {
    const written = fc.tuple(
      fc.jsonValue({ stringUnit: 'binary', depthSize: 'medium' }),
      fc.constantFrom('', ' ', '\t', '\r\n  '),
    );
    fc.assert(
      fc.property(written, ([value, indent]) => {
        const bytes = Buffer.from(JSON.stringify(value, undefined, indent));
        const { depth, values, names } = holdings(JSON.parse(bytes.toString()));
        const bounds = { depthMax: depth, valuesMax: values, namesMax: names };
        expect(findExcess(bytes, bounds)).toBeUndefined();
        if (depth > 0) expect(findExcess(bytes, { ...NO_BOUND, depthMax: depth - 1 })).toBe('depth');
        if (values > 0) expect(findExcess(bytes, { ...NO_BOUND, valuesMax: values - 1 })).toBe('values');
        if (names > 0) expect(findExcess(bytes, { ...NO_BOUND, namesMax: names - 1 })).toBe('names');
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, string, Partial<JsonBounds>, JsonExcess | undefined]>([
    ['signs inside a string are text', '["[{,:}]"]', { depthMax: 1, valuesMax: 1, namesMax: 0 }, undefined],
    ['an escaped quote does not end a string', '["\\",,,"]', { valuesMax: 1 }, undefined],
    ['an escaped backslash does not escape the quote after it', '["\\\\",1]', { valuesMax: 1 }, 'values'],
    ['white space is no value', '[ \n\t\r ]', { valuesMax: 0 }, undefined],
    ['a repeated name counts each time', '{"a":1,"a":2}', { namesMax: 1 }, 'names'],
    ['containers side by side do not nest', '[[],{},[[]]]', { depthMax: 3 }, undefined],
    ['a text that ends within a string', '["\\', {}, undefined],
    ['nesting that is never closed', '['.repeat(21), { depthMax: 20 }, 'depth'],
  ])('%s', (_name, text, bounds, expected) => {
    expect(excessOf(text, bounds)).toBe(expected);
  });
});
