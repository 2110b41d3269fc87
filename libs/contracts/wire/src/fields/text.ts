import { all, field, normalized, Optional } from './field';

/**
 * What can't be seen, or turns the reading direction, makes two different names look alike: control characters, line and
 * paragraph separators, all that Unicode calls ignorable (zero-width characters, soft hyphens, fillers, tags), the bidi
 * controls, marks of broken text, the braille blank. The same characters are part of some spellings: where they are, and
 * only there, `SPELLED` takes them out first.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u2800]/u;

/** Scripts in which a joiner or non-joiner between two letters is spelling: Persian and Indic names among them. */
const JOINING = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}';
const SPELLED = new RegExp(
  [
    `(?<=[${JOINING}])[\\u200C\\u200D](?=[${JOINING}])`,
    // A variation selector chooses the form of an emoji or an ideograph; a joiner makes one emoji of several.
    `(?<=[${EMOJI}\\p{Ideographic}\\p{Script=Mong}])\\p{Variation_Selector}`,
    `(?<=[${EMOJI}]\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})`,
  ].join('|'),
  'gu',
);
const LINES = /[\n\t]/g;

/** The longest text of any field is a URL of 2,048 code points. */
const NORMALIZED_UNITS_MAX = 4_096;
const MARKS = /\p{Mark}+/gu;
/** Of combining marks on one letter: Unicode's stream-safe format (UAX 15), which no spelling of any language exceeds. */
const MARKS_MAX = 30;

/**
 * Trims a string and brings it into Unicode's composed form (NFC); leaves any other value for the check to refuse.
 *
 * NFC sorts the marks that follow a letter, which takes the square of their number: a second for a text of 100 KB. So texts
 * that the check refuses for their length or their marks are not brought into it.
 */
export function normalizedText(value: unknown): unknown {
  if (typeof value !== 'string' || !value.isWellFormed()) return value;
  const text = value.trim();
  return text.length > NORMALIZED_UNITS_MAX || pilesUpMarks(text) ? text : text.normalize('NFC');
}

function pilesUpMarks(text: string): boolean {
  for (const [run] of text.matchAll(MARKS)) {
    if (run.length > MARKS_MAX && Array.from(run).length > MARKS_MAX) return true;
  }
  return false;
}

export function isCleanText(value: unknown, limits: { min: number; max: number; lines?: boolean }): value is string {
  // No code point takes more than two units: a longer text is refused before any code reads all of it.
  if (typeof value !== 'string' || value.length > 2 * limits.max || !value.isWellFormed()) return false;
  // Measured in code points, as a person counts: one emoji is one character.
  const length = Array.from(value).length;
  if (length < limits.min || length > limits.max || pilesUpMarks(value)) return false;
  return !hidesSomething(limits.lines ? value.replace(LINES, '') : value);
}

function hidesSomething(text: string): boolean {
  return INVISIBLE.test(text) && INVISIBLE.test(text.replace(SPELLED, ''));
}

/** A line of text of `min` to `max` code points without invisible characters; `lines` allows line feeds and tabs. */
export function IsText(limits: { min?: number; max: number; lines?: boolean }): PropertyDecorator {
  const bounds = { min: limits.min ?? 1, max: limits.max, lines: limits.lines ?? false };
  const length = bounds.min === 0 ? `at most ${bounds.max}` : `${bounds.min} to ${bounds.max}`;
  return all(
    normalized(normalizedText),
    field({
      name: 'isText',
      code: 'invalid_text',
      message: `must be text of ${length} characters without control or invisible characters`,
      schema: { type: 'string', minLength: bounds.min, maxLength: bounds.max },
      check: (value) => isCleanText(value, bounds),
    }),
  );
}

/** A text that may be absent. An empty text counts as absent, like null: forms send it for an empty field. */
export function OptionalText(limits: { max: number; lines?: boolean }): PropertyDecorator {
  return all(
    Optional(),
    IsText({ ...limits, min: 0 }),
    normalized((value) => (normalizedText(value) === '' ? null : value)),
  );
}

/** Text that must match `pattern` unchanged: it is never trimmed. */
export function MatchesPattern(rule: { pattern: RegExp; code: string; message: string; example?: string }) {
  return field({
    name: 'matchesPattern',
    code: rule.code,
    message: rule.message,
    schema: { type: 'string', pattern: rule.pattern.source, ...(rule.example && { examples: [rule.example] }) },
    check: (value) => typeof value === 'string' && rule.pattern.test(value),
  });
}
