/** The words of a name, however it is written: `walletId`, `wallet_id` and `wallet-id` are wallet and id. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');

export const pascalCase = (name: string): string => wordsOf(name).map(capitalized).join('');

export const snakeCase = (name: string): string => wordsOf(name).join('_');

export function camelCase(name: string): string {
  const [first = '', ...others] = wordsOf(name);
  return [first, ...others.map(capitalized)].join('');
}

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
