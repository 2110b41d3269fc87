/** Runs sequences for both specs of the model: how many, from which seed, and with which reports on the way. */
import { Plan, Report, runSequences } from './runs';

export const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? '500');
export const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000);
const AT_ONCE = 12;

/** Runs them and prints a summary. @throws Error with the first disagreement, if there is one */
export async function runAndReport(what: string, plan: Omit<Plan, 'seed' | 'atOnce' | 'tell'>): Promise<Report> {
  const startedAt = Date.now();
  const report = await runSequences({ ...plan, seed: SEED, atOnce: AT_ONCE, tell: progressOf(plan.count) });
  tell(what, report, startedAt);
  if (report.found !== undefined) throw new Error(report.found);
  return report;
}

const progressOf =
  (count: number) =>
  ({ sequences, commands }: Report): void =>
    void process.stderr.write(`  ${sequences} of ${count} sequences, ${commands} commands\n`);

function tell(what: string, { sequences, commands, dryRuns, endings }: Report, startedAt: number): void {
  const counts = [...endings]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, count]) => `${name} ×${count}`);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
  process.stderr.write(
    `${what}, seed ${SEED}: ${sequences} sequences, ${commands} commands, ${dryRuns} dry runs, ${seconds} s; ${counts.join(', ')}\n`,
  );
}
