import { Progress } from './progress';
import { Report } from './report';

/** Shows progress on stderr while `work` runs, and reports with the time it took. */
export async function timedReport<Found>(
  work: (onStart: (total: number) => (events: number) => void) => Promise<Found>,
  report: (found: Found, elapsedMs: number) => Report,
): Promise<Report> {
  const started = Date.now();
  let progress: Progress | undefined;
  try {
    const found = await work((total) => (progress = new Progress(total)).add);
    return report(found, Date.now() - started);
  } finally {
    progress?.end();
  }
}
