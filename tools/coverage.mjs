// Which tests over HTTP cover which section of the interface: docs/COVERAGE.md, made by reading the specs of
// apps/journeys-e2e, without running them. A section is a route of docs/openapi.json or a line of sections.ts; a spec says
// what it covers by calling covers(…) in a describe, or outside of one for the whole file. A section that nobody covers,
// and a call that names no section, are refused.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './stack/paths.mjs';
import { filesUnder } from './stack/stamp.mjs';
import { Refusal } from './stack/terminal.mjs';

const FOLDER = 'apps/journeys-e2e/src';
const METHODS = ['get', 'post', 'put', 'delete'];
const INTRODUCTION = `# Who tests what

Every route and every rule of the interface, with the tests that hold it over HTTP, against the real processes
([apps/journeys-e2e](../apps/journeys-e2e/src)). Made from the tests by \`npm run docs\`; a section without a test fails
\`npm test\`. The specs answers, idempotency, input and tenants go through all routes and aren't repeated on each line.
`;

/** The text of docs/COVERAGE.md. @throws Refusal that names what is not covered, or is no section. */
export function coveragePage() {
  const routes = routesOf(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')));
  const sections = sectionsIn(parse(join(FOLDER, 'sections.ts')));
  const specs = filesUnder(FOLDER, (file) => file.endsWith('.e2e.spec.ts')).sort();
  return pageOf(
    routes,
    sections,
    specs.flatMap((file) => claimsIn(parse(file))),
  );
}

/** The page from what there is to cover and from who claims to cover it: [{section, file, title}]. */
export function pageOf(routes, sections, claims) {
  const known = new Set([...routes, ...sections]);
  const covered = new Set(claims.map(({ section }) => section));
  const problems = [
    ...[...known]
      .filter((name) => !covered.has(name))
      .map((name) => `"${name}" has no test: say covers('${name}') in one`),
    ...claims
      .filter(({ section }) => !known.has(section))
      .map(({ section, file }) => `${file}: "${section}" is no section`),
  ];
  if (problems.length > 0) throw new Refusal(problems.join('\n'));
  return [INTRODUCTION, table('Route', routes, claims), table('Section', sections, claims)].join('\n');
}

function table(heading, names, claims) {
  const rows = names.map((name) => `| ${name.replaceAll('|', '\\|')} | ${testsOf(name, claims)} |`);
  return [`| ${heading} | Tests |`, '|---|---|', ...rows, ''].join('\n');
}

function testsOf(section, claims) {
  const byFile = new Map();
  for (const claim of claims.filter((each) => each.section === section)) {
    byFile.set(claim.file, new Set([...(byFile.get(claim.file) ?? []), claim.title]));
  }
  return [...byFile].map(([file, titles]) => `${linkTo(file)}${titlesText([...titles])}`).join('<br>');
}

const linkTo = (file) => `[${basename(file, '.e2e.spec.ts')}](../${file})`;

function titlesText(titles) {
  if (titles.includes('')) return '';
  return `: ${titles.map((title) => title.replaceAll('|', '\\|')).join('; ')}`;
}

export function routesOf({ paths }) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => operations[method]).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

function parse(file) {
  return ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The texts of the list SECTIONS. */
function sectionsIn(source) {
  const names = [];
  const visit = (node) => {
    if (ts.isArrayLiteralExpression(node)) names.push(...node.elements.map((element) => element.text));
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Each covers(…) with the titles of the describes around it. */
export function claimsIn(source) {
  const claims = [];
  const visit = (node, titles) => {
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, (child) => visit(child, titles));
    if (node.expression.getText(source) === 'covers') {
      for (const argument of node.arguments) {
        claims.push({ section: argument.text, file: source.fileName, title: titles.join(' › ') });
      }
    }
    const inside = isDescribe(node, source) ? [...titles, titleOf(node.arguments[0], source)] : titles;
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, []);
  return claims;
}

/** describe('…', …), and describe.each(…)('…', …). */
function isDescribe(node, source) {
  return node.arguments.length > 1 && /^describe\b/.test(node.expression.getText(source));
}

/** What is filled in when it runs reads as …. */
function titleOf(argument, source) {
  const text = ts.isStringLiteralLike(argument) ? argument.text : argument.getText(source);
  return text.replaceAll(/%[sdj]|\$\w+/g, '…');
}
