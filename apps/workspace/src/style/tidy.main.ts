// Style as a test: what a linter has no rule for, and what must not be switched off. Reads every source file once, line by
// line, and prints file:line: message. Generated files and tables of data are left out by name below.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand } from '@stablecoin/command-line/terminal';
import { filesUnder } from '@stablecoin/local-stack/files';
import { findingsIn, isTidied } from './tidy-rules';

const HELP = `
npm run tidy [-- --words] [--json]

Checks what no linter checks: leftovers, switched-off checks and tests, long files and lines, folder names that say
nothing. Prints file:line: message for each finding.

  --words  also words of before, in the documents too
  --json   one line on stdout: [{"file","line","message"}]
`;

const FOLDERS = ['apps', 'libs', 'tools'];
const DOCUMENTS = ['docs', 'README.md', 'CONTRIBUTING.md'];
const SKIPPED_FOLDERS = ['node_modules', 'generated', 'dist'];

function main(argv: string[]): number {
  const parsed = parseFlags(argv, { json: { type: 'boolean' }, words: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const { json, words = false } = parsed.values;
  const folders = words ? [...FOLDERS, ...DOCUMENTS] : FOLDERS;
  const files = folders.flatMap((folder) => filesUnder(folder, isTidied, SKIPPED_FOLDERS)).filter(isTidied);
  const findings = files.flatMap((file) => findingsIn(file, readFileSync(join(ROOT, file), 'utf8'), { words }));
  if (json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else for (const { file, line, message } of findings) process.stdout.write(`${file}:${line}: ${message}\n`);
  process.stderr.write(`${files.length} files, ${findings.length} findings\n`);
  return findings.length === 0 ? 0 : 1;
}

void runCommand(main);
