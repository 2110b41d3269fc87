// npm run docs: writes what is made of the code, documents above all, so that it can't say something else. With
// --check it writes nothing and fails when one of them is not what would be written: a stage of npm test. After a merge
// conflict in one of them, take either side and run it again.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { KNOWN_MIGRATIONS } from '@stablecoin/migrations/known-migrations';
import { metricsChapter } from '@stablecoin/telemetry/metrics/metrics-chapter';
import { GENERATED_SDK_FILES } from '../sdk-generator/generated-sdk-files';
import { permissionsText } from './bus-permissions';
import { checkoutModule } from './checkout-module';
import { configurationPage } from './configuration-page';
import { consoleTypes } from './console-types';
import { coveragePage } from './coverage-page';
import { formatted } from './formatted';
import { subjectsPage } from './subjects-page';

interface GeneratedFile {
  file: string;
  text: () => string | Promise<string>;
}

/** A new generated file is a line here. */
const GENERATED_FILES: readonly GeneratedFile[] = [
  { file: 'docs/openapi.json', text: () => gatewayReference().openApiText() },
  { file: 'docs/ERRORS.md', text: () => gatewayErrors().errorsPage() },
  { file: 'docs/OPERATIONS.md', text: () => withChapter('metrics', metricsChapter()) },
  // After openapi.json, of which these are made.
  { file: 'docs/COVERAGE.md', text: coveragePage },
  ...GENERATED_SDK_FILES,
  { file: 'apps/console/src/api/types.generated.ts', text: consoleTypes },
  { file: 'docs/CONFIGURATION.md', text: configurationPage },
  { file: 'docs/SUBJECTS.md', text: subjectsPage },
  { file: 'docs/FORGERIES.md', text: () => forgeryTrial().forgeriesPage() },
  { file: 'deploy/nats/permissions.conf', text: permissionsText },
  ...KNOWN_MIGRATIONS,
];

const HELP = `
npm run docs [-- --check]

Writes the documents that are made of the code: ${GENERATED_FILES.map(({ file }) => file).join(', ')}.

  --check  write nothing; fail when one of them is out of date
`;

const gatewayReference = () =>
  checkoutModule<{ openApiText(): string | Promise<string> }>('apps/gateway/src/reference-page/openapi-text');
const forgeryTrial = () => checkoutModule<{ forgeriesPage(): string }>('apps/trials/forgery/src/report/forgeries-page');
const gatewayErrors = () => checkoutModule<{ errorsPage(): string }>('apps/gateway/src/errors/errors-page');

/** docs/OPERATIONS.md as it is, with what stands between a chapter's two marks written anew. */
function withChapter(name: string, chapter: string): string {
  const text = readFileSync(join(ROOT, 'docs/OPERATIONS.md'), 'utf8');
  const [begin, end] = [`<!-- ${name}: written by npm run docs -->\n`, `<!-- end of ${name} -->\n`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/OPERATIONS.md lacks the marks of its chapter ${name}`);
  return `${text.slice(0, from)}${begin}\n${chapter}\n${text.slice(to)}`;
}

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { check: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const stale: string[] = [];
  for (const { file, text } of GENERATED_FILES) {
    const path = join(ROOT, file);
    const wanted = await formatted(path, await text());
    if (existsSync(path) && readFileSync(path, 'utf8') === wanted) continue;
    stale.push(file);
    if (!parsed.values.check) writeFileSync(path, wanted);
  }
  return parsed.values.check ? checked(stale) : written(stale);
}

function checked(stale: readonly string[]): number {
  for (const file of stale) say(`${file} is not what the code says: run "npm run docs" and commit what it writes.`);
  return stale.length === 0 ? 0 : 1;
}

function written(files: readonly string[]): number {
  say(files.length === 0 ? 'Every document is up to date.' : `Written: ${files.join(', ')}`);
  return 0;
}

void runCommand(main);
