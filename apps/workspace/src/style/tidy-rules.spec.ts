import { findingsIn, isTidied } from './tidy-rules';

const messages = (file: string, text: string) => findingsIn(file, text).map(({ message }) => message);

it.each([
  ['a leftover note', 'apps/payout/src/a.ts', `// ${'TO' + 'DO'} later`],
  ['a test that runs alone', 'apps/payout/src/a.spec.ts', `it${'.on' + 'ly('}'x')`],
  ['any', 'apps/payout/src/a.ts', 'x as' + ' any'],
  ['a service that prints', 'apps/payout/src/a.ts', 'console.log(1)'],
  ['a folder that says nothing', 'libs/utils/src/a.ts', ''],
  ['a bound named the other way round', 'libs/money/src/a.ts', 'const ' + 'MAX_' + 'ROWS = 1;'],
  ['a long line', 'libs/money/src/a.ts', 'x'.repeat(141)],
  ['a long file', 'libs/money/src/a.ts', '\n'.repeat(601)],
  ['a check of Python that is switched off', 'libs/sdk-python/src/a.py', 'x = 1  # no' + 'qa'],
  ['a test of Python that is switched off', 'libs/sdk-python/tests/test_a.py', '@unittest.sk' + 'ip("later")'],
  ['an old word', 'libs/money/src/a.ts', `// the ${'stran' + 'ger'} asks`],
])('finds %s', (_, file, text) => {
  expect(messages(file, text)).toHaveLength(1);
});

it('finds nothing in a clean file, and lets command lines print', () => {
  expect(messages('apps/payout/src/a.ts', 'const a = 1;\n')).toEqual([]);
  expect(messages('apps/customer/src/cli.ts', 'console.log(1)')).toEqual([]);
});

it('names the line, in a document too, where only old words count', () => {
  const text = `one\nthe ${'stran' + 'ger'} asks\n${'x'.repeat(200)}`;
  expect(findingsIn('docs/a.md', text)).toEqual([
    { file: 'docs/a.md', line: 2, message: expect.stringContaining('otherMerchant') as string },
  ]);
});

it('reads sources and documents, and leaves out tables of data', () => {
  const read = ['a.ts', 'a.mjs', 'a.md', 'a.py', 'a.toml', 'libs/sdk-python/src/stablecoin_sdk/client.py'];
  const left = ['a.json', 'a.table.ts', 'a.generated.ts', 'libs/sdk-python/src/stablecoin_sdk/types.py'];
  expect([...read, ...left].filter(isTidied)).toEqual(read);
});
