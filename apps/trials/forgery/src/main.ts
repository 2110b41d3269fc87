/**
 * npm run trial -- forgery: who could forge what, tried on a real stack. Each line of the table (table/forgeries.ts) has to be
 * refused, or found by the auditor, or noticed by whom the table says.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { type Weakness, WEAKNESSES, type WeaknessName } from './planted/weaknesses';
import { described, overview } from './report/report';
import { AIMS } from './table/forgery';
import { FORGERS, type Line, linesOf } from './table/forgeries';
import { type LineResult, runTrial } from './trial';

/** In place of one weakness. */
const EACH = 'each';
const HELP = `
npm run trial -- forgery [--only FORGER[/AIM]]… [--plant WEAKNESS|each] [--keep] [--json]

Forges money, and hides, undoes and reads what is not the forger's, on a stack of its own: a real Postgres, a broker with each
user's permissions, the services as processes. Every forgery has to be refused by whom the table says, or found by audit verify
(exit code 1, one sentence), or noticed by whom the table says. docs/FORGERIES.md is the table.

  --only    only this forger, or only one of his aims; can be given several times. Forgers:
            ${FORGERS.map(({ name }) => name).join('\n            ')}
            aims: ${Object.keys(AIMS).join(', ')}
  --plant   a rule that is switched off, which has to show: the exit code is 0 if it does. One of
            ${Object.keys(WEAKNESSES).join(', ')};
            or ${EACH} of them, one run after the other
  --keep    keep the logs in .data/forgery-trial also where everything was as the table says
  --json    one JSON line on stdout: {"results":[…],"ok"}
  --help

Exit codes: 0 everything is as the table says, 1 it is not, or the trial could not be run.
`;
const FLAGS = {
  only: { type: 'string', multiple: true },
  plant: { type: 'string' },
  keep: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { only, plant, keep = false, json = false } = parsed.values;
  let isOk = true;
  for (const name of weaknessesOf(plant)) {
    const weakness: Weakness | undefined = name && WEAKNESSES[name];
    const results = await runOnce(chosen(only ?? weakness?.shows), weakness, keep);
    const failed = results.filter(({ failure }) => failure !== undefined);
    const ok = weakness === undefined ? failed.length === 0 : isShown(weakness, failed);
    isOk &&= ok;
    if (weakness) say(`\n  ${name}: ${weakness.what}: ${ok ? 'found' : 'NOT found'}`);
    if (json)
      process.stdout.write(`${JSON.stringify({ ...(name && { planted: name }), results: results.map(plain), ok })}\n`);
    else if (!weakness) process.stdout.write(`\n${overview(results)}\n`);
  }
  return isOk ? 0 : 1;
}

const plain = ({ forger, aim, forgery, evidence, failure, ms }: LineResult) => ({
  ...{ forger: forger.name, aim, what: forgery.what, expected: forgery.expected, evidence, failure, ms },
});

/** In each of its cells, by a forgery that could be tried. */
const isShown = ({ shows }: Weakness, failed: readonly LineResult[]): boolean =>
  shows.every((cell) => failed.some((result) => result.evidence !== undefined && cellOf(result) === cell));

const cellOf = ({ forger, aim }: Line): string => `${forger.name}/${aim}`;

function chosen(only: readonly string[] | undefined): readonly Line[] {
  const lines = linesOf(FORGERS);
  const isOf = (line: Line, name: string) => name === line.forger.name || name === cellOf(line);
  const unknown = only?.find((name) => !lines.some((line) => isOf(line, name)));
  if (unknown !== undefined) throw new OperatorError(`There is no forger and no cell "${unknown}". Try --help.`);
  return only === undefined ? lines : lines.filter((line) => only.some((name) => isOf(line, name)));
}

/** One undefined for a run without any. */
function weaknessesOf(text: string | undefined): readonly (WeaknessName | undefined)[] {
  const names = Object.keys(WEAKNESSES) as WeaknessName[];
  if (text === undefined) return [undefined];
  const wanted = names.filter((name) => text === EACH || name === text);
  if (wanted.length > 0) return wanted;
  throw new OperatorError(`There is no weakness "${text}" to plant: ${names.join(', ')}, or ${EACH}.`);
}

async function runOnce(lines: readonly Line[], weakness: Weakness | undefined, keep: boolean): Promise<LineResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'forgery-trial-'));
  let isWorthKeeping = true;
  try {
    let count = 0;
    const results = await runTrial(folder, { lines, ...(weakness && { weakness }) }, (result) => {
      count += 1;
      if (result.failure !== undefined || weakness) say(`  ${described(result)}`);
      else if (count % 10 === 0) say(`  ${count}/${lines.length} forgeries`);
    });
    isWorthKeeping = keep || (weakness === undefined && results.some(({ failure }) => failure !== undefined));
    return results;
  } finally {
    if (isWorthKeeping) keepLogs(join(folder, 'data', 'logs'));
    rmSync(folder, { recursive: true, force: true });
  }
}

function keepLogs(logs: string): void {
  const kept = join(ROOT, '.data', 'forgery-trial');
  if (!existsSync(logs)) return;
  rmSync(kept, { recursive: true, force: true });
  cpSync(logs, kept, { recursive: true });
  say(`  Logs: ${kept}`);
}

void runCommand(main).then(() => process.exit());
