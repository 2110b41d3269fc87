// Which tests over HTTP cover which section of the interface: docs/COVERAGE.md, made by reading the specs of
// apps/journeys-e2e, without running them. A section is a route of docs/openapi.json or a line of sections.ts; a spec says
// what it covers by calling covers(…) in a describe, or outside of one for the whole file. A section without a test, and a
// call that names no section, are refused.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { filesUnder } from '@stablecoin/local-stack/files';

const FOLDER = 'apps/journeys-e2e/src';
const METHODS = ['get', 'post', 'put', 'delete'];
const INTRODUCTION = `# Who tests what

Every route and every rule of the interface, with the tests that hold it over HTTP, against the real processes
([apps/journeys-e2e](../apps/journeys-e2e/src)). Made from the tests by \`npm run docs\`; a section without a test fails
\`npm test\`. The specs answers, idempotency, input and tenants go through all routes and aren't repeated on each line.
`;

/** That a spec says it covers a section; `title` joins the describes around the call and is '' for the whole file. */
export interface Claim {
  section: string;
  file: string;
  title: string;
}

interface Interface {
  paths: Record<string, Record<string, unknown>>;
}

/** The text of docs/COVERAGE.md. @throws OperatorError that names what is not covered, or is no section. */
export function coveragePage(): string {
  const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Interface;
  const sections = sectionsIn(parse(join(FOLDER, 'sections.ts')));
  const specs = filesUnder(FOLDER, (file) => file.endsWith('.e2e.spec.ts')).sort();
  return pageOf(routesOf(document), sections, specs.flatMap(claimsInFile));
}

/** The page from what there is to cover and from who claims to cover it. */
export function pageOf(routes: readonly string[], sections: readonly string[], claims: readonly Claim[]): string {
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
  if (problems.length > 0) throw new OperatorError(problems.join('\n'));
  return [INTRODUCTION, table('Route', routes, claims), table('Section', sections, claims)].join('\n');
}

function table(heading: string, names: readonly string[], claims: readonly Claim[]): string {
  const rows = names.map((name) => `| ${name.replaceAll('|', '\\|')} | ${testsOf(name, claims)} |`);
  return [`| ${heading} | Tests |`, '|---|---|', ...rows, ''].join('\n');
}

function testsOf(section: string, claims: readonly Claim[]): string {
  const byFile = new Map<string, Set<string>>();
  for (const claim of claims.filter((each) => each.section === section)) {
    byFile.set(claim.file, new Set([...(byFile.get(claim.file) ?? []), claim.title]));
  }
  return [...byFile].map(([file, titles]) => `${linkTo(file)}${titlesText([...titles])}`).join('<br>');
}

const linkTo = (file: string) => `[${basename(file, '.e2e.spec.ts')}](../${file})`;

function titlesText(titles: readonly string[]): string {
  if (titles.includes('')) return '';
  return `: ${titles.map((title) => title.replaceAll('|', '\\|')).join('; ')}`;
}

export function routesOf({ paths }: Interface): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => operations[method]).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** What a spec says that it covers; `file` is its path in the checkout. */
export const claimsInFile = (file: string): Claim[] => claimsIn(parse(file));

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The texts of the list SECTIONS. */
function sectionsIn(source: ts.SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node)) names.push(...textsOf(node.elements));
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Each covers(…) with the titles of the describes around it. */
export function claimsIn(source: ts.SourceFile): Claim[] {
  const claims: Claim[] = [];
  const visit = (node: ts.Node, titles: readonly string[]): void => {
    const inside = [...titles, ...describeTitle(node, source)];
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'covers') {
      for (const section of textsOf(node.arguments)) {
        claims.push({ section, file: source.fileName, title: titles.join(' › ') });
      }
    }
    ts.forEachChild(node, (child) => {
      visit(child, inside);
    });
  };
  visit(source, []);
  return claims;
}

function textsOf(nodes: readonly ts.Expression[]): string[] {
  return nodes.map((node) => {
    if (ts.isStringLiteralLike(node)) return node.text;
    throw new OperatorError(`${node.getSourceFile().fileName}: sections are named by texts, not by ${node.getText()}.`);
  });
}

/** The title of describe('…', …) and of describe.each(…)('…', …); what is filled in when it runs reads as …. */
function describeTitle(node: ts.Node, source: ts.SourceFile): string[] {
  if (!ts.isCallExpression(node) || node.arguments.length < 2) return [];
  const [title] = node.arguments;
  if (title === undefined || !/^describe\b/.test(node.expression.getText(source))) return [];
  const text = ts.isStringLiteralLike(title) ? title.text : title.getText(source);
  return [text.replaceAll(/%[sdj]|\$\w+/g, '…')];
}
