import { canonicalJson } from './canonical-json';

describe('canonicalJson', () => {
  it.each([
    ['{"b":1,"a":{"d":[1,2],"c":null}}', '{"a":{"c":null,"d":[1,2]},"b":1}'],
    [' { "a" : 10.0 } ', '{"a":10}'],
    ['{"a":"\\u0041"}', '{"a":"A"}'],
    ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    ['[]', '[]'],
    ['"x"', '"x"'],
    ['null', 'null'],
  ])('%s → %s', (text, expected) => {
    expect(canonicalJson(JSON.parse(text))).toBe(expected);
  });

  it('keeps the order of lists and tells a number from its text', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson({ amount: 10 })).not.toBe(canonicalJson({ amount: '10' }));
  });
});
