import { all, field, normalized, Optional } from './field';

// Characters that can't be seen or that turn the reading direction: they make two different names look alike.
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\t\n]/u;
const INVISIBLE_BUT_LINES = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/u;

/** Trimmed and in Unicode's composed form (NFC); anything but a string is left for the check to refuse. */
export function normalizedText(value: unknown): unknown {
  return typeof value === 'string' && value.isWellFormed() ? value.normalize('NFC').trim() : value;
}

export function isCleanText(value: unknown, limits: { min: number; max: number; lines?: boolean }): value is string {
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  if ((limits.lines ? INVISIBLE_BUT_LINES : INVISIBLE).test(value)) return false;
  // Measured in code points, as a person counts: one emoji is one character. No list of them before the length is sane.
  if (value.length > 2 * limits.max) return false;
  const length = [...value].length;
  return length >= limits.min && length <= limits.max;
}

/** A line of text of `min` to `max` code points without invisible characters; `lines` allows line feeds and tabs. */
export function IsText(limits: { min?: number; max: number; lines?: boolean }): PropertyDecorator {
  const bounds = { min: limits.min ?? 1, max: limits.max, lines: limits.lines ?? false };
  return all(
    normalized(normalizedText),
    field({
      name: 'isText',
      code: 'invalid_text',
      message: `must be text of ${bounds.min} to ${bounds.max} characters without control or invisible characters`,
      schema: { type: 'string', minLength: bounds.min, maxLength: bounds.max },
      check: (value) => isCleanText(value, bounds),
    }),
  );
}

/** A text that may be absent. An empty one is none, as null is: forms send it for a field that was left open. */
export function OptionalText(limits: { max: number; lines?: boolean }): PropertyDecorator {
  return all(
    Optional(),
    IsText({ ...limits, min: 0 }),
    normalized((value) => (normalizedText(value) === '' ? null : value)),
  );
}

/** Text that must match `pattern` as it stands: never trimmed. */
export function MatchesPattern(rule: { pattern: RegExp; code: string; message: string; example?: string }) {
  return field({
    name: 'matchesPattern',
    code: rule.code,
    message: rule.message,
    schema: { type: 'string', pattern: rule.pattern.source, ...(rule.example && { examples: [rule.example] }) },
    check: (value) => typeof value === 'string' && rule.pattern.test(value),
  });
}
