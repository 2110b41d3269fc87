import { table } from '@stablecoin/command-line/table';
import type { Evidence } from '../judging/expectation';
import { type Aim, AIMS } from '../table/forgery';
import type { LineResult } from '../trial';

type Became = Evidence['became'];
const BECAME = ['refused', 'found', 'noticed'] as const satisfies readonly Became[];

/** What is said of a forgery that is over. */
export function described({ forger, aim, forgery, failure, ms }: LineResult): string {
  const verdict = failure === undefined ? 'as the table says' : `NOT as the table says: ${failure}`;
  return `${forger.name}/${aim}: ${forgery.what}\n    ${verdict} (${(ms / 1_000).toFixed(1)} s)`;
}

/** Who × what, with how many forgeries of each cell were refused, found and noticed. */
export function overview(results: readonly LineResult[]): string {
  const forgers = [...new Set(results.map(({ forger }) => forger.name))];
  const cell = (name: string, aim: Aim): string => {
    const own = results.filter((result) => result.forger.name === name && result.aim === aim);
    const failed = own.filter(({ failure }) => failure !== undefined).length;
    if (failed > 0) return `FAILED ${failed} of ${own.length}`;
    return BECAME.map((became) => ({ became, count: own.filter(({ evidence }) => evidence?.became === became).length }))
      .filter(({ count }) => count > 0)
      .map(({ became, count }) => `${count} ${became}`)
      .join(', ');
  };
  const aims = Object.keys(AIMS) as Aim[];
  const rows = forgers.map((name) => [name, ...aims.map((aim) => cell(name, aim))]);
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  const verdict = failed === 0 ? `All ${results.length} as the table says.` : `${failed} of ${results.length} are not.`;
  return `${table(['', ...aims], rows)}\n\n${verdict}`;
}
