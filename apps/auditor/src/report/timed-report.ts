import { Report } from './report';
import { ProgressForPeople, ShownProgress } from './shown-progress';

/** Shows progress on stderr while `work` runs, and reports with the time it took. */
export async function timedReport<Found>(
  work: (onStart: (total: number) => (events: number) => void, onPhase: (phase: string) => void) => Promise<Found>,
  report: (found: Found, elapsedMs: number) => Report,
  progress: ShownProgress = new ProgressForPeople(),
): Promise<Report> {
  const started = Date.now();
  try {
    const found = await work(
      (total) => progress.start(total),
      (phase) => progress.enter(phase),
    );
    return report(found, Date.now() - started);
  } finally {
    progress.end();
  }
}
