import type { Recovery } from './retrying-load';

/** A fault and its effect on callers. */
export interface FeltFault extends Recovery {
  what: string;
}

export interface TrialOutcome {
  nats_server: string;
  rounds: FeltFault[];
  requests: number;
  sent_again: number;
  slowest_ms: number;
  /** Writes only, no reads. */
  acknowledged: number;
}

export const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

export function report(outcome: TrialOutcome, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
    return;
  }
  const lines = outcome.rounds.map(
    ({ what, first_ms, all_ms, longest_ms }) =>
      `${what}: writes again after ${seconds(first_ms)} s, all kinds after ${seconds(all_ms)} s, ` +
      `longest wait ${seconds(longest_ms)} s`,
  );
  const { nats_server, requests, sent_again, slowest_ms, acknowledged } = outcome;
  const sums =
    `nats-server ${nats_server}: ${requests} requests, ${sent_again} of them sent again, the slowest took ${slowest_ms} ms; ` +
    `${acknowledged} acknowledged, none lost, none twice`;
  process.stdout.write(`\n${[...lines, sums].join('\n')}\n`);
}
