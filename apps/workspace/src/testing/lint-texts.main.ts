// Lints texts as if they were files of the checkout: reads a list of {file, code} from stdin and prints the messages of
// each on stdout. Runs as its own process, because ESLint loads its configuration as an ES module, which Jest can't. It
// reads no types and leaves out the rules that need them: the types of the whole checkout take half a minute.

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
