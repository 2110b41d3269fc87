import { StatementNames } from './statement-names';

const distinct = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `SELECT ${from + index}`);

describe('a statement', () => {
  it('has a name from its second execution on, always the same', () => {
    const names = new StatementNames();
    const given = [1, 2, 3].map(() => names.nameOf('SELECT $1'));

    expect(given).toEqual([undefined, 'statement_1', 'statement_1']);
  });

  it('shares its name with no other text', () => {
    const names = new StatementNames();
    const texts = distinct(100);
    texts.forEach((text) => names.nameOf(text));

    expect(new Set(texts.map((text) => names.nameOf(text))).size).toBe(100);
  });

  it('stays without a name when 512 have one, which they keep', () => {
    const names = new StatementNames();
    const named = distinct(512);
    const late = distinct(100, 512);
    for (const text of [...named, ...named, ...late, ...late]) names.nameOf(text);

    expect(late.map((text) => names.nameOf(text))).toEqual(late.map(() => undefined));
    expect(names.nameOf('SELECT 511')).toBe('statement_512');
  });

  it('that comes once takes no name, nor memory for ever', () => {
    const names = new StatementNames();
    distinct(10_000).forEach((text) => names.nameOf(text));
    names.nameOf('SELECT $1');

    expect(names.nameOf('SELECT $1')).toBe('statement_1');
    expect((names as unknown as { seenOnce: Set<string> }).seenOnce.size).toBeLessThanOrEqual(2_048);
  });
});
