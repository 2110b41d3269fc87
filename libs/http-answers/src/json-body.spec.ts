import { DOCUMENTS_JSON_BOUNDS, isUtf8Type, JSON_BOUNDS, parseJsonBody } from './json-body';

const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));

describe('parseJsonBody', () => {
  it.each([
    ['an empty body', '', undefined],
    ['an object', '{"a":[1]}', { a: [1] }],
    ['null', 'null', null],
  ])('reads %s', (_name, text, expected) => {
    expect(parseJsonBody(Buffer.from(text), JSON_BOUNDS)).toEqual(expected);
  });

  it.each([
    ['broken JSON', Buffer.from('{"a":'), 'malformed_json'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'malformed_json'],
    ['21 levels', nested(21), 'validation_failed'],
    ['50,000 levels', nested(50_000), 'validation_failed'],
  ])('refuses %s', (_name, bytes, code) => {
    expect(() => parseJsonBody(bytes, JSON_BOUNDS)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it.each([
    ['21 levels', `${'['.repeat(21)}${']'.repeat(21)}`, 'too_deep'],
    ['1,001 values', `[${Array(1_001).fill('1').join(',')}]`, 'too_many_values'],
    ['a name repeated 1,001 times', `{${Array(1_001).fill('"a":1').join(',')}}`, 'too_many_values'],
  ])('parses no body with %s', (_name, text, code) => {
    const parse = jest.spyOn(JSON, 'parse');
    expect(() => parseJsonBody(Buffer.from(text), JSON_BOUNDS)).toThrow(
      expect.objectContaining({ fields: [expect.objectContaining({ code })] }) as Error,
    );
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('takes more values where documents belong', () => {
    const bytes = Buffer.from(`[${Array(4_000).fill('1').join(',')}]`);
    expect(parseJsonBody(bytes, DOCUMENTS_JSON_BOUNDS)).toHaveLength(4_000);
    expect(() => parseJsonBody(bytes, JSON_BOUNDS)).toThrow('validation_failed');
  });

  it('takes 20 levels, and keeps dangerous names as own properties', () => {
    expect(() => parseJsonBody(nested(20), JSON_BOUNDS)).not.toThrow();
    expect(Object.keys(parseJsonBody(Buffer.from('{"__proto__":1}'), JSON_BOUNDS) as object)).toEqual(['__proto__']);
  });
});

describe('isUtf8Type', () => {
  it.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['application/json;charset="UTF-8"', true],
    ['application/json; profile="x"', true],
    ['application/json;charset=latin1', false],
    ['application/json; charset=utf-16', false],
    ['application/json; charset=utf-8; charset=latin1', false],
  ])('%s: %s', (mediaType, expected) => {
    expect(isUtf8Type(mediaType)).toBe(expected);
  });
});
