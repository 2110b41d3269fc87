import { OLD_NAMES, OLD_WORDS, type OldWord } from './old-words.table';

interface Search extends OldWord {
  pattern: RegExp;
}

const SEARCHES: readonly Search[] = [
  ...OLD_NAMES.map((name) => ({ ...name, pattern: nameIn(name.word) })),
  // An address or a quoted value is data and not a sentence.
  ...OLD_WORDS.map((old) => ({ ...old, pattern: new RegExp(`(?<![\\w'"\`])${old.word}(?![\\w'"\`@])`, 'i') })),
];

/**
 * `OneName` is also found as `oneName`, in `OneNameOptions` and as `one-name`; a single word only where it is a name.
 */
function nameIn(word: string): RegExp {
  const parts = word.match(/[A-Z][a-z]+/g) ?? [word];
  if (parts.length === 1)
    return new RegExp(`\\b(?:class|interface|type|new|extends|typeof)\\s+${word}\\b|import.*\\b${word}\\b`);
  const camelCase = `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
  return new RegExp(`${word}|\\b${camelCase}|\\b${parts.join('-').toLowerCase()}\\b`);
}

/** One message for each old word in a line. */
export function oldWordsIn(line: string): string[] {
  return SEARCHES.filter(({ pattern }) => pattern.test(line)).map(
    ({ word, instead, stays }) =>
      `"${word}" is a word of before: say ${instead}${stays === undefined ? '' : ` (${stays} is a name that stays)`}`,
  );
}
