import { figures } from '@stablecoin/command-line/table';
import type { AttackResult } from './trial';
import type { Kind } from './victim/victim';

/** A harness that was later than this is named beside the figure. */
const LAG_TOLD_MS = 50;
const COUNTS_SHOWN = 5;

const COLUMNS = {
  attack: ({ attack }: AttackResult) => attack,
  'read ms': (result: AttackResult) => times(result, 'read'),
  'write ms': (result: AttackResult) => times(result, 'write'),
  'delivery ms': (result: AttackResult) => times(result, 'delivery'),
  errors: ({ errors }: AttackResult) => errors,
  slowest: ({ during }: AttackResult) => whole(Math.max(during.read?.slowest ?? 0, during.write?.slowest ?? 0)),
  died: ({ died }: AttackResult) => died.join(' ') || '-',
  goal: ({ findings }: AttackResult) => (findings.length === 0 ? 'met' : 'MISSED'),
};

/** p50/p99 before → during. */
const times = ({ before, during }: AttackResult, kind: Kind): string =>
  [before[kind], during[kind]].map((felt) => (felt ? `${whole(felt.p50)}/${whole(felt.p99)}` : '-')).join(' → ');

const whole = (value: number): string => String(Math.round(value));

export const LEGEND = 'p50/p99 of the victim before → during the attack, in milliseconds';

export const resultTable = (results: readonly AttackResult[]): string => `${LEGEND}\n\n${figures(results, COLUMNS)}`;

/** What is said of an attack when it is over. */
export function described(result: AttackResult, what: string): string {
  const { attack, got, victimLagMs, calmAfterMs, findings } = result;
  const counts = Object.entries(got.counts).sort(([, one], [, other]) => other - one);
  const told = counts.slice(0, COUNTS_SHOWN).map(([name, count]) => `${count} × ${name}`);
  const lags = [
    ...(victimLagMs > LAG_TOLD_MS ? [`the victim's program was up to ${whole(victimLagMs)} ms late`] : []),
    ...(got.lagMs > LAG_TOLD_MS ? [`the attacker's up to ${whole(got.lagMs)} ms`] : []),
  ];
  const lines = [
    `${attack}: ${what}`,
    `read ${times(result, 'read')}, write ${times(result, 'write')}, delivery ${times(result, 'delivery')}`,
    `the attacker: ${told.join(', ') || 'nothing'}; ${got.cores.toFixed(2)} processors`,
    ...got.notes,
    ...(lags.length > 0 ? [lags.join(', ')] : []),
    ...(calmAfterMs === undefined ? [] : [`as before ${(calmAfterMs / 1_000).toFixed(1)} s after the attack`]),
    ...findings.map((finding) => `MISSED: ${finding}`),
  ];
  return lines.join('\n    ');
}
