// Style as a test: rules that the linter lacks, checks that must not be switched off, and words that the code no longer
// uses. Reads every source file and document once, line by line, and prints file:line: message. Generated files and
// tables of data are left out by name, here and in tidy-rules.ts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand } from '@stablecoin/command-line/terminal';
import { filesUnder } from '@stablecoin/local-stack/files';
import { findingsIn, isTidied } from './tidy-rules';

const HELP = `
npm run tidy [-- --json]

Checks what no linter checks: leftovers, switched-off checks and tests, long files and lines, folder names that say
nothing, and old words, in the documents too. Prints file:line: message for each finding.

  --json   one line on stdout: [{"file","line","message"}]
`;

const FOLDERS = ['apps', 'libs', 'tools'];
const DOCUMENTS = ['docs', 'README.md', 'CONTRIBUTING.md'];
const SKIPPED_FOLDERS = ['node_modules', 'generated', 'dist'];

function main(argv: string[]): number {
  const parsed = parseFlags(argv, { json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const { json } = parsed.values;
  const paths = [...FOLDERS, ...DOCUMENTS];
  const files = paths.flatMap((path) => filesUnder(path, isTidied, SKIPPED_FOLDERS)).filter(isTidied);
  const findings = files.flatMap((file) => findingsIn(file, readFileSync(join(ROOT, file), 'utf8')));
  if (json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else for (const { file, line, message } of findings) process.stdout.write(`${file}:${line}: ${message}\n`);
  process.stderr.write(`${files.length} files, ${findings.length} findings\n`);
  return findings.length === 0 ? 0 : 1;
}

void runCommand(main);
