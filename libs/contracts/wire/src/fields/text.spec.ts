import { isCleanText, normalizedText } from './text';

const clean = (text: string, lines = false) => isCleanText(normalizedText(text), { min: 1, max: 30, lines });

describe('text that is accepted', () => {
  it.each([
    ['a decomposed letter, composed', 'Zoe\u0308'],
    ['an apostrophe and a hyphen', "Anne-Marie O'Neill"],
    ['Vietnamese', 'Nguyễn Thị Minh'],
    ['Arabic', 'محمد'],
    ['Persian, whose spelling has a zero-width non-joiner', 'علی\u200Cرضا'],
    ['Sinhala, whose spelling has a zero-width joiner', 'ශ්\u200Dරී'],
    ['an ideograph in the form that a family uses', '葛\u{E0100}城'],
    ['an emoji of four', '👨\u200D👩\u200D👧\u200D👦'],
    ['an emoji with its variation selector', '❤\uFE0F\u200D🔥'],
    ['thirty emoji: code points count, not what they take', '👍'.repeat(30)],
  ])('%s', (_what, text) => {
    expect(clean(text)).toBe(true);
  });

  it('line feeds and tabs only where lines are allowed', () => {
    expect([clean('a\n\tb', true), clean('a\nb'), clean('a\tb'), clean('a\rb', true)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('text that is refused', () => {
  it.each([
    ['NUL', 'A\u0000da'],
    ['a C0 control', 'A\u001Bda'],
    ['DEL', 'A\u007Fda'],
    ['a C1 control', 'A\u0085da'],
    ['a soft hyphen', 'A\u00ADda'],
    ['a combining grapheme joiner', 'A\u034Fda'],
    ['the Arabic letter mark, a bidi control', 'A\u061Cda'],
    ['a Hangul filler', 'A\u3164da'],
    ['nothing but a Hangul filler', '\u3164'],
    ['a zero-width space', 'A\u200Bda'],
    ['a non-joiner between Latin letters', 'A\u200Cda'],
    ['a joiner between Latin letters', 'A\u200Dda'],
    ['a joiner at the end', 'محمد\u200D'],
    ['a left-to-right mark', 'A\u200Eda'],
    ['a bidi override', 'A\u202Eda'],
    ['a bidi isolate', 'A\u2066da'],
    ['a line separator', 'A\u2028da'],
    ['a word joiner', 'A\u2060da'],
    ['a byte order mark inside', 'A\uFEFFda'],
    ['a variation selector on a letter', 'A\uFE0Fda'],
    ['an interlinear annotation', 'A\uFFF9da'],
    ['a noncharacter', 'A\uFFFFda'],
    ['a tag', 'A\u{E0041}da'],
    ['a braille blank', 'A\u2800da'],
    ['a lone surrogate', 'A\uD800da'],
    ['thirty-one code points', 'x'.repeat(31)],
    ['nothing but white space of many kinds', ' \u00A0\u3000'],
  ])('%s', (_what, text) => {
    expect(clean(text)).toBe(false);
    expect(clean(text, true)).toBe(false);
  });

  it('megabytes, before they are read', () => {
    expect(clean('\u200D'.repeat(10_000_000))).toBe(false);
  });
});

describe('marks on one letter', () => {
  const marked = (marks: number) => `x${'\u0316'.repeat(marks)}`;

  it('are at most thirty', () => {
    const isClean = (text: string) => isCleanText(normalizedText(text), { min: 1, max: 100 });
    expect([isClean(marked(30) + marked(30)), isClean(marked(31))]).toEqual([true, false]);
  });

  it.each([
    ['a text with more of them', `e\u0301${marked(31)}`],
    ['a text longer than any field takes', `e\u0301${'x'.repeat(4_096)}`],
  ])('%s is trimmed, and not composed', (_what, text) => {
    expect(normalizedText(` ${text} `)).toBe(text);
  });
});
