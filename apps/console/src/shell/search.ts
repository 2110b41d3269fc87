/** What an address holds after its `?`, read once for all screens: what is not of its form is left out rather than sent on. */

const UUID_TEXT = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const UUID = new RegExp(`^${UUID_TEXT}$`);
/** Of a field in which a person types an id. */
export const UUID_FIELD = {
  pattern: UUID_TEXT,
  title: 'A whole id: 36 characters, such as 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80',
} as const;
const NUMBER = /^(0|[1-9]\d{0,8})$/;

/** In small letters, as answers have it. */
export const uuidIn = (value: unknown): string | undefined =>
  typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;

/** A number that is counted with: of a shard, a page or a report. */
export const numberIn = (value: unknown): number | undefined =>
  isPlain(value) && NUMBER.test(String(value)) ? Number(value) : undefined;
const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

export interface PageSearch {
  page?: number;
}

/** The first page is the address without one. */
export function pageIn({ page }: Readonly<Record<string, unknown>>): PageSearch {
  const number = numberIn(page);
  return number !== undefined && number > 1 ? { page: number } : {};
}

export const choiceIn = <Choice extends string | number>(
  choices: readonly Choice[],
  value: unknown,
): Choice | undefined => (isPlain(value) ? choices.find((choice) => String(choice) === String(value)) : undefined);

export function textIn(value: unknown, lengthMax: number): string | undefined {
  const text = typeof value === 'string' ? value.trim().slice(0, lengthMax) : '';
  return text === '' ? undefined : text;
}
