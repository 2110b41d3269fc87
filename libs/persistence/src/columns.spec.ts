import { arrayColumn, lineColumn } from './columns';

describe('arrayColumn', () => {
  it.each([
    [[], '{}'],
    [['a', 'b-1', null, 7], '{a,b-1,NULL,7}'],
    [['null', 'NULL', ''], '{"null","NULL",""}'],
    [['a b', 'a,b', '{a}', 'a"b', 'a\\b', 'a\nb'], '{"a b","a,b","{a}","a\\"b","a\\\\b","a\nb"}'],
  ])('of %j is %s', (values, literal) => expect(arrayColumn(values)).toBe(literal));
});

describe('lineColumn', () => {
  it.each([
    [['{"a":"b"}', '["\\n"]'], '{"a":"b"}\n["\\n"]'],
    [['one'], 'one'],
  ])('of %j is a line each', (texts, column) => expect(lineColumn(texts)).toBe(column));

  it.each([[['a\nb', 'c']], [['a', '']], [['']]])('of %j is refused: rows would get each other’s texts', (texts) =>
    expect(() => lineColumn(texts)).toThrow('line feed'),
  );
});
