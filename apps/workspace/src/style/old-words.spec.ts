import { oldWordsIn } from './old-words';
import { OLD_NAMES, OLD_WORDS } from './old-words.table';

const camelCase = (name: string) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
const parts = (name: string) => name.match(/[A-Z][a-z]+/g) ?? [];
const fileName = (name: string) => parts(name).join('-').toLowerCase();

it.each(OLD_NAMES)('$word is found where it is declared, made and imported', ({ word }) => {
  for (const line of [`export class ${word} {`, `const it = new ${word}(3);`, `import { ${word} } from './it';`])
    expect(oldWordsIn(line)).toHaveLength(1);
});

it.each(OLD_NAMES.filter(({ word }) => parts(word).length > 1))(
  '$word is found in other names, and in a file’s',
  ({ word }) => {
    for (const line of [`this.${camelCase(word)}.take()`, `interface ${word}Options {`, `from './${fileName(word)}';`])
      expect(oldWordsIn(line)).toHaveLength(1);
  },
);

it.each(OLD_NAMES.filter(({ word }) => parts(word).length === 1))(
  '$word in a sentence is a word like others',
  ({ word }) => {
    expect(oldWordsIn(`// ${word} begins a sentence here.`)).toEqual([]);
  },
);

it.each([...OLD_NAMES, ...OLD_WORDS])('what is said instead of $word is not found', ({ instead }) => {
  expect(oldWordsIn(instead)).toEqual([]);
});

it.each([...OLD_NAMES, ...OLD_WORDS].filter(({ stays }) => stays !== undefined))('$stays stays', ({ stays = '' }) => {
  expect(oldWordsIn(`{ "${stays}": 1 }`)).toEqual([]);
});

it.each(OLD_WORDS)('$word is found in sentences, and not where it is data', ({ word }) => {
  expect(oldWordsIn(`// ${word} has asked for it`)).toEqual([expect.stringContaining(word)]);
  expect(oldWordsIn(`it('gives ${word} an answer', () => {`)).toHaveLength(1);
  expect(oldWordsIn(`${word.charAt(0).toUpperCase()}${word.slice(1)} asks.`)).toHaveLength(1);
  for (const data of [`officer = '${word}'`, `the user \`${word}\``, `<${word}@example.com>`, `${word}s_house`])
    expect(oldWordsIn(data)).toEqual([]);
});

it('says what to write instead', () => {
  const [first] = OLD_NAMES;
  expect(oldWordsIn(`new ${first?.word ?? ''}()`)).toEqual([
    `"${first?.word}" is a word of before: say ${first?.instead}`,
  ]);
});
