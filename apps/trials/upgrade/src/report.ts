// Prints the results of the upgrade trial as a table for people or one line for programs.

import { figures } from '@stablecoin/command-line/table';
import { say } from '@stablecoin/command-line/terminal';
import type { OlderVersion } from './older-version';
import type { PhaseFigures, UpgradeOutcome } from './upgrade-trial';

const FINDINGS_SHOWN = 10;
const ERRORS_SHOWN = 5;
const ERROR_COLUMNS_MAX = 400;
const COLUMNS = {
  phase: (row: PhaseFigures) => row.phase,
  requests: (row: PhaseFigures) => row.requests,
  failed: (row: PhaseFigures) => row.failed,
  'sent again': (row: PhaseFigures) => row.repeated,
  'slowest ms': (row: PhaseFigures) => row.slowest_ms,
};

export function report({ commit, name, subject }: OlderVersion, outcome: UpgradeOutcome, json: boolean): void {
  const { phases, applied, payouts, findings } = outcome;
  const isOk = findings.length === 0;
  if (json) {
    const line = { from: { commit, subject }, applied, phases, payouts, findings, ok: isOk };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  process.stdout.write(`\n${figures(phases, COLUMNS)}\n\n`);
  process.stdout.write(`${applied.length} migrations beneath the running ${name}: ${applied.join(', ') || 'none'}\n`);
  if (isOk) process.stdout.write(`${payouts} payouts, all ended; the log verifies and equals its replay.\n`);
  else sayFindings(name, outcome);
}

function sayFindings(name: string, { findings, errors }: UpgradeOutcome): void {
  say(`\nThe upgrade from ${name} does not go as the handbook says:`);
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) say(`  ${finding}`);
  if (findings.length > FINDINGS_SHOWN) say(`  … and ${findings.length - FINDINGS_SHOWN} more`);
  if (errors.length > 0) say('\nWhat the services logged as errors:');
  for (const { log, line } of errors.slice(0, ERRORS_SHOWN)) say(`  ${log}: ${line.slice(0, ERROR_COLUMNS_MAX)}`);
}
