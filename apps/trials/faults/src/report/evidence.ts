import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { FaultStack } from '../stack/fault-stack';
import { Report } from './report';

/** Of the last run that failed: what the processes logged, and the report. @returns the folder */
export function keepEvidence(stack: FaultStack, report: Report): string {
  const folder = join(ROOT, '.data', 'faults');
  rmSync(folder, { recursive: true, force: true });
  cpSync(stack.logs, folder, { recursive: true });
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  return folder;
}
