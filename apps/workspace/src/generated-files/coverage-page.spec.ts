import ts from 'typescript';
import { claimsIn, pageOf, routesOf } from './coverage-page';

const source = (text: string) => ts.createSourceFile('a.e2e.spec.ts', text, ts.ScriptTarget.Latest, true);

it('a claim carries the titles of the describes around it', () => {
  const claims = claimsIn(
    source(`
      covers('A');
      describe('one', () => {
        covers('B', 'C');
        describe.each([[1]])('two %s', () => { covers('D'); });
      });
    `),
  );
  expect(claims.map(({ section, title }) => `${section}: ${title}`)).toEqual([
    'A: ',
    'B: one',
    'C: one',
    'D: one › two …',
  ]);
});

it('the page lists each section with its tests', () => {
  const claims = claimsIn(source(`describe('one', () => { covers('GET /a', 'Rules: b'); });`));
  const page = pageOf(['GET /a'], ['Rules: b'], claims);
  expect(page).toMatch(/\| GET \/a \| \[a\]\(\.\.\/a\.e2e\.spec\.ts\): one \|/);
  expect(page).toMatch(/\| Rules: b \|/);
});

it('a section without a test is refused, and so is a claim of no section', () => {
  const claims = claimsIn(source(`covers('GET /gone');`));
  expect(() => pageOf(['GET /a'], [], claims)).toThrow(/"GET \/a" has no test[^]*"GET \/gone" is no section/);
});

it('routes are read from the interface document', () => {
  expect(routesOf({ paths: { '/a': { get: {}, post: {}, parameters: [] } } })).toEqual(['GET /a', 'POST /a']);
});
