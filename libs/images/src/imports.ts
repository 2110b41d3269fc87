// Which files a program consists of, and which packages it uses, read from its code: entry → every import, require,
// import() and require.resolve() → the files behind the relative ones, again and again. An import whose name is computed
// can't be followed and is refused, except below a package that is named at its beginning (`i18n-iso-countries/${name}`).

import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';

/** What the entries of a program load, sorted: files by their paths in the checkout, packages by their names. */
export interface Program {
  files: string[];
  packages: string[];
}

const BUILT_IN = new Set(builtinModules);
const isBuiltIn = (name: string) => name.startsWith('node:') || BUILT_IN.has(name);

/** `@scope/name` of `@scope/name/deep/file.js`. */
export const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

/** Everything that the entries (relative to `root`) load. */
export function programOf(entries: readonly string[], root = ROOT): Program {
  return new ImportGraph(root).programOf(entries);
}

/** Programs whose files change: what a file imports is read once, and again after `forget`. */
export class ImportGraph {
  private readonly imports = new Map<string, string[]>();

  constructor(private readonly root = ROOT) {}

  /** Everything that the entries (relative to the checkout) load. */
  programOf(entries: readonly string[]): Program {
    const files = new Set<string>();
    const packages = new Set<string>();
    const waiting = [...entries];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (files.has(file)) continue;
      files.add(file);
      for (const name of this.importsOf(file)) {
        if (name.startsWith('.')) waiting.push(resolveFile(file, name, this.root));
        else if (!isBuiltIn(name)) packages.add(packageOf(name));
      }
    }
    return { files: [...files].sort(), packages: [...packages].sort() };
  }

  /** The file was written anew. */
  forget(file: string): void {
    this.imports.delete(file);
  }

  private importsOf(file: string): string[] {
    if (file.endsWith('.json')) return [];
    const known = this.imports.get(file) ?? importsOf(file, readSource(file, this.root));
    this.imports.set(file, known);
    return known;
  }
}

function readSource(file: string, root: string): string {
  const path = join(root, file);
  if (!existsSync(path)) throw new OperatorError(`${file} is not there: npm run build makes it.`);
  return readFileSync(path, 'utf8');
}

function resolveFile(from: string, name: string, root: string): string {
  const path = normalize(join(dirname(from), name));
  const found = [path, `${path}.js`, `${path}.json`, join(path, 'index.js')].find((file) => isFile(join(root, file)));
  if (found === undefined) throw new OperatorError(`${from} imports ${name}, and there is no such file.`);
  return found;
}

const isFile = (path: string) => /\.\w+$/.test(path) && existsSync(path);

/** The names that a file imports, as they are written in it. */
export function importsOf(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const argument = importArgument(node);
    if (argument !== undefined) names.push(nameIn(argument, file));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function importArgument(node: ts.Node): ts.Expression | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (!ts.isCallExpression(node)) return undefined;
  return loadsModule(node.expression) ? node.arguments[0] : undefined;
}

function loadsModule(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(callee)) return callee.text === 'require';
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'resolve') return false;
  return ts.isIdentifier(callee.expression) && callee.expression.text === 'require';
}

function nameIn(argument: ts.Expression, file: string): string {
  if (ts.isStringLiteralLike(argument)) return argument.text;
  const beginning = ts.isTemplateExpression(argument) ? argument.head.text : '';
  if (/^(@[^/]+\/)?[^./][^/]*\//.test(beginning)) return beginning;
  throw new OperatorError(
    `${file} computes the name of an import, which the contents of an image can't follow: name it.`,
  );
}
