import fc from 'fast-check';
import { canonicalText, CanonicalValue, isCanonicalText } from './canonical-text';

const judged = (text: string) => isCanonicalText(text, JSON.parse(text));

/** The definition: writing the value again gives the same text. */
function writtenAnew(text: string): boolean {
  try {
    return canonicalText(JSON.parse(text) as CanonicalValue) === text;
  } catch {
    return false;
  }
}

describe('whether a text is canonical', () => {
  it.each([
    ['{"a":[true,null,"é"],"b":{"c":1,"d":"\\""}}', true],
    ['{"a":"\\\\ud800"}', true],
    ['{"10":1,"9":2}', true],
    ['{"9":1,"10":2}', false],
    ['{"b":1,"a":2}', false],
    ['[{"b":1,"a":2}]', false],
    ['{"a":1,"a":1}', false],
    ['{"a": 1}', false],
    ['{"a":1.0}', false],
    ['{"a":0.5}', false],
    ['{"a":-0}', false],
    ['{"a":1e2}', false],
    ['{"a":100}', true],
    ['{"a":1e3,"b": 1}', false],
    ['{"a":1e4,"a":1}', false],
    ['{"a":"b","9":1}', false],
    ['{"a":"\\n","b": 1}', false],
    ['{"a":[],"b":{},"c":[{},false]}', true],
    ['{"":0,"a":1}', true],
    ['{"a":9007199254740992}', false],
    ['{"a":"\\u0061"}', false],
    ['{"a":"\\/"}', false],
    ['{"a":"\\ud800"}', false],
    ['{"\\udfff":"a"}', false],
    ['{"a":"\\\\\\ud800"}', false],
  ])('%s: %s', (text, expected) => {
    expect(judged(text)).toBe(expected);
    expect(writtenAnew(text)).toBe(expected);
  });

  it('is decided as if the value were written again, for any JSON', () => {
    const json = fc.oneof(
      fc.json({ stringUnit: 'binary' }),
      fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value, null, 1)),
      fc
        .dictionary(fc.string({ unit: fc.constantFrom('1', '2', 'a', '\\', 'ud8', '\ud800') }), fc.maxSafeInteger())
        .map((value) => JSON.stringify(value)),
      anotherSpelling,
      fc.dictionary(fc.string(), fc.string({ unit: 'binary' })).map((value) => canonicalText(wellFormed(value))),
    );
    fc.assert(
      fc.property(json, (text) => judged(text) === writtenAnew(text)),
      { numRuns: 2_000 },
    );
  });
});

/** Members in any order, some twice, with other spellings of their numbers, and white space that makes up for shorter ones. */
const anotherSpelling = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'b', 'c', '1', '10', ''),
      fc.constantFrom(
        '1',
        '100',
        '1e2',
        '1e3',
        '1000',
        '12e2',
        '1E4',
        '-0',
        '0',
        '1.0',
        '"x"',
        '[]',
        '[1e5]',
        '{"b":1e3}',
        '"\\n"',
      ),
      fc.constantFrom('', '', ' ', '  '),
    ),
    { maxLength: 4 },
  )
  .map((members) => `{${members.map(([key, value, space]) => `"${key}":${space}${value}`).join(',')}}`);

/** As canonical text is defined, member by member. */
function byDefinition(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(byDefinition).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .sort()
    .filter((key) => object[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${byDefinition(object[key])}`);
  return `{${members.join(',')}}`;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
};

describe('the canonical text of a value', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('1', '10', '9', 'a', 'B', 'é', '__proto__', '"', '\\ud8'));
  const { value: values } = fc.letrec<{ value: CanonicalValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(fc.string(), fc.constantFrom('\\ud8', '\u2028', '😀'), fc.maxSafeInteger(), fc.boolean()),
      fc.constantFrom(null, undefined, -0),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  }));

  it('is the same whatever order its members are in, and is as defined', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalText(value)).toBe(byDefinition(value));
        expect(canonicalText(sorted(value) as CanonicalValue)).toBe(byDefinition(value));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['\ud800'],
    [{ a: 'x\udfff' }],
    [{ b: 1, a: '\udfff' }],
    [{ '\ud800': 1 }],
    [0.5],
    [{ a: [NaN] }],
    [2 ** 53],
  ])('of %j is refused', (value) => expect(() => canonicalText(value as CanonicalValue)).toThrow(TypeError));
});

const wellFormed = (value: Record<string, string>) =>
  Object.fromEntries(Object.entries(value).map(([key, text]) => [key.toWellFormed(), text.toWellFormed()]));
