import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { claimsIn, pageOf, routesOf } from '../coverage.mjs';

const source = (text) => ts.createSourceFile('a.e2e.spec.ts', text, ts.ScriptTarget.Latest, true);

test('a claim carries the titles of the describes around it', () => {
  const claims = claimsIn(
    source(`
      covers('A');
      describe('one', () => {
        covers('B', 'C');
        describe.each([[1]])('two %s', () => { covers('D'); });
      });
    `),
  );
  assert.deepEqual(
    claims.map(({ section, title }) => `${section}: ${title}`),
    ['A: ', 'B: one', 'C: one', 'D: one › two …'],
  );
});

test('the page lists each section with its tests', () => {
  const claims = claimsIn(source(`describe('one', () => { covers('GET /a', 'Rules: b'); });`));
  const page = pageOf(['GET /a'], ['Rules: b'], claims);
  assert.match(page, /\| GET \/a \| \[a\]\(\.\.\/a\.e2e\.spec\.ts\): one \|/);
  assert.match(page, /\| Rules: b \|/);
});

test('a section without a test is refused, and so is a claim of no section', () => {
  const claims = claimsIn(source(`covers('GET /gone');`));
  assert.throws(() => pageOf(['GET /a'], [], claims), /"GET \/a" has no test[^]*"GET \/gone" is no section/);
});

test('routes are read from the interface document', () => {
  assert.deepEqual(routesOf({ paths: { '/a': { get: {}, post: {}, parameters: [] } } }), ['GET /a', 'POST /a']);
});
