// Style as a test: what a linter has no rule for, and what must not be switched off. Reads every source file once, line by
// line, and prints file:line: message. Generated files and tables of data are left out by name below.

import './stack/node-version.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './stack/paths.mjs';
import { filesUnder } from './stack/stamp.mjs';
import { parseFlags, runCommand } from './stack/terminal.mjs';

const HELP = `
npm run tidy [-- --json]

Checks what no linter checks: leftovers, switched-off checks and tests, long files and lines, folder names that say
nothing. Prints file:line: message for each finding.

  --json   one line on stdout: [{"file","line","message"}]
`;

const LINES_MAX = 600;
const COLUMNS_MAX = 140;
const FOLDERS = ['apps', 'libs', 'tools'];
const SKIPPED_FOLDERS = ['node_modules', 'generated', 'dist'];
const SKIPPED_FILES = /(\.generated\.ts|\.table\.ts|-codes\.ts)$/;
const FORBIDDEN_FOLDERS = new Set(['dtos', 'services', 'utils', 'common', 'shared', 'core']);

// Written in pieces where the pattern would otherwise find itself here.
const EVERYWHERE = [
  [
    new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`),
    'a leftover note: do it now, or write an issue',
  ],
  [/\b(it|test|describe)\.only\(/, 'only some tests run: remove .only'],
  [/\b(it|test|describe)\.skip\(|\bx(it|describe)\(/, 'a test is switched off: repair or delete it'],
  [new RegExp('eslint-dis' + 'able'), 'a lint rule is switched off: satisfy it'],
  [new RegExp('@ts-(ig' + 'nore|nocheck)'), 'the type checker is switched off: satisfy it'],
];
const TYPESCRIPT = [[/\bas any\b/, 'any hides mistakes: name the type']];
const SERVICE_SOURCE = [[/\bconsole\.(log|debug|info)\(/, 'services log through their logger']];

const isCommandLine = (file) =>
  /(^|\/)(cli|main)\.ts$/.test(file) &&
  !/apps\/(gateway|customer|wallet-ledger|swap-pricing|payout)\/src\/main\.ts$/.test(file);
const isServiceSource = (file) =>
  /^(apps|libs)\/.*\/src\//.test(file) &&
  !/\.spec\.ts$/.test(file) &&
  !isCommandLine(file) &&
  !file.startsWith('apps/auditor/');

function rulesFor(file) {
  return [...EVERYWHERE, ...(file.endsWith('.ts') ? TYPESCRIPT : []), ...(isServiceSource(file) ? SERVICE_SOURCE : [])];
}

/** The findings in one file. */
export function findingsIn(file, text) {
  const lines = text.split('\n');
  const rules = rulesFor(file);
  const findings = [];
  lines.forEach((line, index) => {
    for (const [pattern, message] of rules) if (pattern.test(line)) findings.push({ file, line: index + 1, message });
    if (line.length > COLUMNS_MAX)
      findings.push({ file, line: index + 1, message: `${line.length} columns, at most ${COLUMNS_MAX}` });
  });
  if (lines.length > LINES_MAX)
    findings.push({ file, line: LINES_MAX, message: `${lines.length} lines, at most ${LINES_MAX}: split it` });
  const folder =
    /^(apps|libs)\//.test(file) &&
    file
      .split('/')
      .slice(0, -1)
      .find((name) => FORBIDDEN_FOLDERS.has(name));
  if (folder)
    findings.push({ file, line: 1, message: `a folder named ${folder} says nothing: name it after what it is about` });
  return findings;
}

async function main(argv) {
  const parsed = await parseFlags(argv, { json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const wanted = (file) => /\.(ts|mjs|cjs|js)$/.test(file) && !SKIPPED_FILES.test(file);
  const files = FOLDERS.flatMap((folder) => filesUnder(folder, wanted, SKIPPED_FOLDERS));
  const findings = files.flatMap((file) => findingsIn(file, readFileSync(join(ROOT, file), 'utf8')));
  if (parsed.values.json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else for (const { file, line, message } of findings) process.stdout.write(`${file}:${line}: ${message}\n`);
  process.stderr.write(`${files.length} files, ${findings.length} findings\n`);
  return findings.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) runCommand(main);
