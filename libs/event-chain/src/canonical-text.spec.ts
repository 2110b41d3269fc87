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

const wellFormed = (value: Record<string, string>) =>
  Object.fromEntries(Object.entries(value).map(([key, text]) => [key.toWellFormed(), text.toWellFormed()]));
