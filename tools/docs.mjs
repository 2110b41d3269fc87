// npm run docs: writes what is made of the code, documents above all, so that it can't say something else. With
// --check it writes nothing and fails when one of them is not what would be written: a stage of npm test. After a merge
// conflict in one of them, take either side and run it again.

import './stack/node-version.mjs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configurationPage } from './configuration-page.mjs';
import { permissionsText } from './bus-permissions.mjs';
import { coveragePage } from './coverage.mjs';
import { KNOWN_MIGRATIONS } from './known-migrations.mjs';
import { ROOT } from './stack/paths.mjs';
import { ensureReady } from './stack/setup.mjs';
import { parseFlags, runCommand, say } from './stack/terminal.mjs';

/** The generated files: each with a function that gives its text. A new one is a line here. */
const DOCUMENTS = [
  { file: 'docs/openapi.json', text: () => built('apps/gateway/src/reference-page/openapi-text.js').openApiText() },
  { file: 'docs/ERRORS.md', text: () => built('apps/gateway/src/errors/errors-page.js').errorsPage() },
  {
    file: 'docs/OPERATIONS.md',
    text: () => withChapter('metrics', built('libs/telemetry/src/metrics/metrics-chapter.js').metricsChapter()),
  },
  // After openapi.json, which names the routes.
  { file: 'docs/COVERAGE.md', text: coveragePage },
  { file: 'docs/CONFIGURATION.md', text: configurationPage },
  { file: 'deploy/nats/permissions.conf', text: permissionsText },
  ...KNOWN_MIGRATIONS,
];

const HELP = `
npm run docs [-- --check]

Writes the documents that are made of the code: ${DOCUMENTS.map(({ file }) => file).join(', ')}.

  --check  write nothing; fail when one of them is out of date
`;

/** A module of the build: what the server itself runs on. */
function built(path) {
  return createRequire(import.meta.url)(join(ROOT, 'dist', path));
}

/** docs/OPERATIONS.md as it is, with what stands between a chapter's two marks written anew. */
function withChapter(name, chapter) {
  const text = readFileSync(join(ROOT, 'docs/OPERATIONS.md'), 'utf8');
  const [begin, end] = [`<!-- ${name}: written by npm run docs -->\n`, `<!-- end of ${name} -->\n`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/OPERATIONS.md lacks the marks of its chapter ${name}`);
  return `${text.slice(0, from)}${begin}\n${chapter}\n${text.slice(to)}`;
}

async function main(argv) {
  const parsed = await parseFlags(argv, { check: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  await ensureReady();
  const stale = [];
  for (const { file, text } of DOCUMENTS) {
    const path = join(ROOT, file);
    const wanted = await text();
    if (existsSync(path) && readFileSync(path, 'utf8') === wanted) continue;
    stale.push(file);
    if (!parsed.values.check) writeFileSync(path, wanted);
  }
  return parsed.values.check ? verdict(stale) : told(stale);
}

function verdict(stale) {
  for (const file of stale) say(`${file} is not what the code says: run "npm run docs" and commit what it writes.`);
  return stale.length === 0 ? 0 : 1;
}

function told(written) {
  say(written.length === 0 ? 'Every document is up to date.' : `Written: ${written.join(', ')}`);
  return 0;
}

runCommand(main);
