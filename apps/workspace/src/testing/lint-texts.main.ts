// Lints texts as if they stood in files of the checkout: a list of {file, code} on stdin, the messages of each on stdout. A
// process of its own, because ESLint loads its configuration as an ES module, which Jest can't.

import { ESLint } from 'eslint';
import { text } from 'node:stream/consumers';
import { ROOT } from '@stablecoin/command-line/root';

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
  const eslint = new ESLint({ cwd: ROOT });
  const results: LintMessage[][] = [];
  for (const { file, code } of texts) {
    const [result] = await eslint.lintText(code, { filePath: file });
    results.push(result?.messages ?? []);
  }
  process.stdout.write(JSON.stringify(results));
}

void main();
