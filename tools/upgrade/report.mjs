// What npm run upgrade:check saw, as a table for people or one line for programs.

import { say } from '../stack/terminal.mjs';
import { table } from '../stack/table.mjs';

const FINDINGS_SHOWN = 10;
const ERRORS_SHOWN = 5;
const ERROR_COLUMNS_MAX = 400;
const COLUMNS = {
  phase: (row) => row.phase,
  requests: (row) => row.requests,
  failed: (row) => row.failed,
  'sent again': (row) => row.repeated,
  'slowest ms': (row) => row.slowest_ms,
};

export function report({ older, phases, applied, payouts, findings, errors }, json) {
  const { commit, name, subject } = older;
  const ok = findings.length === 0;
  if (json) {
    const from = { commit, subject };
    return void process.stdout.write(`${JSON.stringify({ from, applied, phases, payouts, findings, ok })}\n`);
  }
  process.stdout.write(`\n${table(phases, COLUMNS)}\n\n`);
  process.stdout.write(`${applied.length} migrations beneath the running ${name}: ${applied.join(', ') || 'none'}\n`);
  if (ok) return void process.stdout.write(`${payouts} payouts, all ended; the log verifies and equals its replay.\n`);
  say(`\nThe upgrade from ${name} does not go as the handbook says:`);
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) say(`  ${finding}`);
  if (findings.length > FINDINGS_SHOWN) say(`  … and ${findings.length - FINDINGS_SHOWN} more`);
  if (errors.length > 0) say('\nWhat the services logged as errors:');
  for (const { log, line } of errors.slice(0, ERRORS_SHOWN)) say(`  ${log}: ${line.slice(0, ERROR_COLUMNS_MAX)}`);
}
