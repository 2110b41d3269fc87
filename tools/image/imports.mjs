// Which files a program consists of, and which packages it uses, read from its code: entry → every import, require,
// import() and require.resolve() → the files behind the relative ones, again and again. An import whose name is computed
// can't be followed and is refused, except below a package that is named at its beginning (`swagger-ui-dist/${name}`).

import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../stack/paths.mjs';
import { Refusal } from '../stack/terminal.mjs';

const BUILT_IN = new Set(builtinModules);
const isBuiltIn = (name) => name.startsWith('node:') || BUILT_IN.has(name);
/** `@scope/name` of `@scope/name/deep/file.js`. */
export const packageOf = (name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** {files, packages} of everything that the entries (relative to `root`) load, sorted. */
export function programOf(entries, root = ROOT) {
  const files = new Set();
  const packages = new Set();
  const waiting = [...entries];
  while (waiting.length > 0) {
    const file = waiting.pop();
    if (files.has(file)) continue;
    files.add(file);
    if (file.endsWith('.json')) continue;
    for (const name of importsOf(file, readSource(file, root))) {
      if (name.startsWith('.')) waiting.push(resolveFile(file, name, root));
      else if (!isBuiltIn(name)) packages.add(packageOf(name));
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

function readSource(file, root) {
  const path = join(root, file);
  if (!existsSync(path)) throw new Refusal(`${file} is not there: npm run build makes it.`);
  return readFileSync(path, 'utf8');
}

function resolveFile(from, name, root) {
  const path = normalize(join(dirname(from), name));
  const found = [path, `${path}.js`, `${path}.json`, join(path, 'index.js')].find((file) => isFile(join(root, file)));
  if (found === undefined) throw new Refusal(`${from} imports ${name}, and there is no such file.`);
  return found;
}

const isFile = (path) => /\.\w+$/.test(path) && existsSync(path);

/** The names that a file imports, as they are written in it. */
export function importsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const names = [];
  const visit = (node) => {
    const argument = importArgument(node);
    if (argument !== undefined) names.push(nameIn(argument, file));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function importArgument(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (!ts.isCallExpression(node) || node.arguments.length === 0) return undefined;
  const callee = node.expression;
  const loads =
    callee.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(callee) && callee.text === 'require') ||
    (ts.isPropertyAccessExpression(callee) && callee.name.text === 'resolve' && callee.expression.text === 'require');
  return loads ? node.arguments[0] : undefined;
}

function nameIn(argument, file) {
  if (ts.isStringLiteralLike(argument)) return argument.text;
  const beginning = ts.isTemplateExpression(argument) ? argument.head.text : '';
  if (/^(@[^/]+\/)?[^./][^/]*\//.test(beginning)) return beginning;
  throw new Refusal(`${file} computes the name of an import, which the contents of an image can't follow: name it.`);
}
