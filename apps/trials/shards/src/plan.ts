import { OperatorError } from '@stablecoin/command-line/operator-error';
import { wholeNumber } from '@stablecoin/command-line/terminal';

export const HELP = `
npm run trial -- shards [--databases N] [--moves N] [--strikes N] [--short] [--seed S] [--busy] [--json]

Moves shards between the ledger's databases while merchants work, on a stack of its own: two instances of the ledger, and two or
three Postgres servers. First without faults, where it is measured what merchants on other shards and on the moved one notice. Then
the mover is killed, at every step and at any moment, as are the shard's owner, each Postgres and the broker; after each strike the move is
given again, or undone. At the end the answers that callers got are compared with the log of every shard.

  --databases   2 or 3; a run with each unless given, 3 with --short
  --moves       moves that nothing strikes; 10 a run unless given, 2 with --short
  --strikes     moves that are struck, of each kind in turn; 22 a run unless given, 4 with --short
  --short       one run in less than two minutes, whose times are told and not judged
  --seed        decides which shard moves where and what strikes when; printed, so that a run can be repeated
  --busy        this machine has other work to do: what took longer than promised is reported, but is no finding
  --json        the last line of stdout is one object with the figures; progress goes to stderr
  --help

Exit codes: 0 all promises held, 1 at least one did not (the summary names the operations), 2 it could not run.
`;
export const FLAGS = {
  databases: { type: 'string' },
  moves: { type: 'string' },
  strikes: { type: 'string' },
  short: { type: 'boolean' },
  seed: { type: 'string' },
  busy: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const SEED_MAX = 9_999_999;
const SEEDS_DRAWN = 1_000_000;
const LONG = { databases: [2, 3], moves: '10', strikes: '22' } as const;
const SHORT = { databases: [3], moves: '2', strikes: '4' } as const;

/** What was asked for on the command line. */
export interface ShardsPlan {
  /** Of each run: how many databases the ledger has. */
  databases: readonly number[];
  moves: number;
  strikes: number;
  seed: number;
  /** Whether what took too long counts as a violation; otherwise only what never ended does. */
  judgesTimes: boolean;
  json: boolean;
}

export interface FlagValues {
  databases?: string;
  moves?: string;
  strikes?: string;
  short?: boolean;
  seed?: string;
  busy?: boolean;
  json?: boolean;
}

/** @throws OperatorError when a flag says something that it may not */
export function planOf({
  databases,
  moves,
  strikes,
  short = false,
  seed,
  busy = false,
  json = false,
}: FlagValues): ShardsPlan {
  const usual = short ? SHORT : LONG;
  const upTo = (most: number, flag: string, text: string) => wholeNumber(flag, text, { least: 0, most });
  if (databases !== undefined && !['2', '3'].includes(databases))
    throw new OperatorError(`--databases takes 2 or 3, not "${databases}".`);
  return {
    databases: databases === undefined ? usual.databases : [Number(databases)],
    moves: upTo(1_000, 'moves', moves ?? usual.moves),
    strikes: upTo(10_000, 'strikes', strikes ?? usual.strikes),
    seed: upTo(SEED_MAX, 'seed', seed ?? String(Date.now() % SEEDS_DRAWN)),
    judgesTimes: !short && !busy,
    json,
  };
}
