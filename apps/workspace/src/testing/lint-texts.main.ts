// Lints texts as if they stood in files of the checkout: a list of {file, code} on stdin, the messages of each on stdout. A
// process of its own, because ESLint loads its configuration as an ES module, which Jest can't. Types
// are not read, and the rules that need them not applied: reading the types of the whole checkout takes half a minute.

import { ESLint, type Linter } from 'eslint';
import { text } from 'node:stream/consumers';
import { ROOT } from '@stablecoin/command-line/root';
import tseslint from 'typescript-eslint';

export interface TextToLint {
  file: string;
  code: string;
}

export interface LintMessage {
  ruleId: string | null;
  message: string;
  fatal?: true;
}

async function main(): Promise<void> {
  const texts = JSON.parse(await text(process.stdin)) as TextToLint[];
  const overrideConfig = [{ files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked }] as Linter.Config[];
  const eslint = new ESLint({ cwd: ROOT, overrideConfig });
  const results: LintMessage[][] = [];
  for (const { file, code } of texts) {
    const [result] = await eslint.lintText(code, { filePath: file });
    results.push(result?.messages ?? []);
  }
  process.stdout.write(JSON.stringify(results));
}

void main();
