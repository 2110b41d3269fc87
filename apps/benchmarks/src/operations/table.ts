/** The figures of one operation as a person reads them. */
import { rounded } from '@stablecoin/benchmarking/report';
import { judgementsOf, type OperationFigures } from './goals';
import type { Traffic } from './measuring/traffic';
import { linesOf, type Step } from './measuring/waterfall';
import type { OperationKind } from './operation-kinds';

export interface Counted {
  underLoad: Traffic;
  alone: Traffic;
}

const NAME_WIDTH = 26;

export function tableOf(
  kind: OperationKind,
  figures: OperationFigures,
  { underLoad, alone }: Counted,
  steps: readonly Step[][],
): string {
  const line = (name: string, text: string) => `  ${name.padEnd(NAME_WIDTH)} ${text}`;
  const { cpu_ms, floor_cpu_ms, plain_cpu_ms, per_second, floor_per_second, plain_per_second } = figures;
  const three = (one: number, two: number, last: number) =>
    `${rounded(one)}, floor ${rounded(two)}, plain way ${rounded(last)}`;
  return [
    `${kind.name}: ${kind.what}`,
    line('ms of processor time', three(cpu_ms, floor_cpu_ms, plain_cpu_ms)),
    line('per second', three(per_second, floor_per_second, plain_per_second)),
    line('by process', partsOf(figures.by_process)),
    line('the floor by process', partsOf(figures.floor_by_process)),
    line('under load', countsOf(underLoad)),
    line('alone', countsOf(alone)),
    line('messages alone', partsOf(alone.messages)),
    line('bytes of one', partsOf(alone.message_bytes)),
    ...judgementsOf(kind, figures).map(({ figure, value, goal, isMet }) =>
      line(figure, `${rounded(value)}, ${goal}: ${isMet ? 'met' : 'MISSED'}`),
    ),
    ...steps.flatMap((lines) => ['  ms from, for', ...linesOf(lines).map((text) => `  ${text}`)]),
    '',
  ].join('\n');
}

function countsOf({ statements, commits, messages, facts }: Traffic): string {
  const inAll = (counts: Record<string, number>) =>
    rounded(Object.values(counts).reduce((sum, count) => sum + count, 0));
  return (
    `${inAll(statements)} statements (${partsOf(statements)}), ${rounded(commits)} commits, ` +
    `${inAll(messages)} messages, ${rounded(facts)} facts`
  );
}

/** Largest first; what rounds to nothing is left out. */
function partsOf(parts: Readonly<Record<string, number>>): string {
  return Object.entries(parts)
    .filter(([, value]) => value >= 0.005)
    .sort(([, one], [, other]) => other - one)
    .map(([name, value]) => `${name} ${rounded(value)}`)
    .join(', ');
}
