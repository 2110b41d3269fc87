// What npm run compose:check measured, as tables for people or one line for programs.

import { table } from '../stack/table.mjs';

/** Columns by title, each with the function of its value. */
const IMAGES = {
  image: (row) => row.image,
  MB: (row) => row.megabytes,
  'own kB': (row) => row.own_kilobytes,
  packages: (row) => row.packages,
};
const SERVICES = {
  service: (row) => row.service,
  'healthy after s': (row) => (row.start_ms / 1000).toFixed(1),
  'resident MB': (row) => row.resident_mb ?? '',
  'limit MB': (row) => row.limit_mb,
  'ended after s': (row) => (row.stop_ms / 1000).toFixed(1),
};

export function report(outcome, json) {
  if (json) return void process.stdout.write(`${JSON.stringify(outcome)}\n`);
  const parts = [table(outcome.images, IMAGES)];
  if (outcome.services) {
    const ended = Object.fromEntries(outcome.stopped.map(({ title, ms }) => [title, ms]));
    parts.push(
      table(
        outcome.services.map((row) => ({ ...row, stop_ms: ended[row.service] })),
        SERVICES,
      ),
    );
    const { requests, failed, slowest_ms } = outcome.restart;
    parts.push(`Rolling restart: ${requests} requests, ${failed} failed, the slowest took ${slowest_ms} ms.`);
  }
  process.stdout.write(`\n${parts.join('\n\n')}\n`);
}
