/**
 * npm run bench -- far-end: nothing is measured. What others have measured of one ledger is taken to 1,000 shards on 100 databases with
 * a million merchants, and the parts are listed by how full they would be.
 */
import { rounded } from '@stablecoin/benchmarking/report';
import { figures } from '@stablecoin/command-line/table';
import { withThreeDigits } from '../operations/goals';
import { figuresOf, INPUTS } from './inputs';
import { farEnd, type Part } from './model';

const outcome = farEnd(figuresOf(INPUTS));

if (process.argv.includes('--json')) {
  const { parts, ...others } = outcome;
  const told = { ...withThreeDigits(others), parts: parts.map((part) => withThreeDigits(part)) };
  process.stdout.write(`${JSON.stringify(told)}\n`);
} else process.stdout.write(`${[inputsText(), partsText(), remediesText()].join('\n\n')}\n`);

function inputsText(): string {
  return figures(
    Object.entries(INPUTS).map(([name, input]) => ({ name, ...input })),
    { input: ({ name }) => name, value: ({ value }) => value, unit: ({ unit }) => unit, from: ({ from }) => from },
  );
}

function partsText(): string {
  return figures(outcome.parts, {
    part: ({ part }: Part) => part,
    full: ({ full }) => rounded(full),
    need: ({ need, unit }) => `${rounded(need)} ${unit}`,
    gives: ({ gives }) => rounded(gives),
  });
}

function remediesText(): string {
  return outcome.parts.map(({ part, by, remedy }) => `${part}\n  ${by}\n  → ${remedy}`).join('\n');
}
