import isoCodes from 'i18n-iso-countries/codes.json';
import english from 'i18n-iso-countries/langs/en.json';

/**
 * The assigned codes of ISO 3166-1 alpha-2 and their English names, from the data files of i18n-iso-countries. Its
 * entry point is not used, because it loads the names in all languages.
 */

/** The package lists Kosovo under XK, which ISO leaves to its users: no assigned code. */
const USER_ASSIGNED = ['XK'];

/** Of a name, however its letters are composed; a longer text is no name, and is not read. */
const NAME_CHARACTERS_MAX = 100;

/** Where the package puts another name in front, the name by which ISO lists the country, less its parentheses. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  CN: 'China',
  CV: 'Cabo Verde',
  CZ: 'Czechia',
  GM: 'Gambia',
  IR: 'Iran',
  MK: 'North Macedonia',
};

const NAMES = new Map(
  isoCodes
    .map(([alpha2]) => alpha2 as string)
    .filter((code) => !USER_ASSIGNED.includes(code))
    .map((code) => [code, namesOf(code)] as const),
);

const CODES_BY_NAME = codesByName();

/** 249 codes. */
export const COUNTRY_CODES: readonly string[] = [...NAMES.keys()].sort();

/** Exact, in upper case. */
export function isCountryCode(text: string): boolean {
  return NAMES.has(text);
}

/** The country's English name, e.g. NG → 'Nigeria'; undefined when the code isn't assigned. */
export function countryName(code: string): string | undefined {
  return NAMES.get(code)?.[0];
}

/**
 * The code of a country by its English name, in any case: the one that `countryName` gives or another usual one ('USA',
 * 'Ivory Coast'). Undefined for other texts, for codes, and for a name that two countries share ('Congo').
 */
export function countryCode(name: string): string | undefined {
  if (name.length > NAME_CHARACTERS_MAX) return undefined;
  return CODES_BY_NAME.get(nameKey(name)) ?? undefined;
}

/** All names of a country, the one we print first. */
function namesOf(code: string): readonly [string, ...string[]] {
  const listed = (english.countries as Readonly<Record<string, string | string[]>>)[code];
  // 'US' and 'UK' stand among the names; a code, or what looks like one, isn't a name here.
  const [first, ...others] = [listed ?? []].flat().filter((name) => name.length > 2);
  if (first === undefined) {
    throw new Error(`The country ${code} has no English name`);
  }
  const short = SHORT_NAMES[code];
  return short === undefined ? [first, ...others] : [short, first, ...others];
}

/** Null marks a name that more than one country has. */
function codesByName(): Map<string, string | null> {
  const codes = new Map<string, string | null>();
  for (const [code, names] of NAMES) {
    for (const key of new Set(names.map(nameKey))) {
      codes.set(key, codes.has(key) ? null : code);
    }
  }
  return codes;
}

function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
