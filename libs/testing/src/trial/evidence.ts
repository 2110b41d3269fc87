import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

/**
 * Of a trial's last run that failed: what the processes logged, and the report.
 *
 * @param trial its name
 * @returns the folder
 */
export function keepEvidence(trial: string, logs: string, report: object): string {
  const folder = join(ROOT, '.data', trial);
  rmSync(folder, { recursive: true, force: true });
  cpSync(logs, folder, { recursive: true });
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  return folder;
}
