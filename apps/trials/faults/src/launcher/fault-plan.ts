import { wholeNumber } from '@stablecoin/command-line/terminal';
import type { FaultPlan } from '../stack/fault-stack';

export const HELP = `
npm run faults -- [--kills N] [--cuts N] [--away SECONDS] [--minutes N] [--seed S] [--busy] [--json]

Drives mixed traffic over HTTP against a stack of its own, kills, pauses and stops its processes, cuts its connections,
takes its broker away and fills its disk meanwhile, and then compares the answers that callers got with the ledger's log.

  --kills     processes that are killed or stopped, of each kind in turn; 30 unless given
  --cuts      connections that are cut; half-open and slow ones come on top; 100 unless given
  --away      how long the broker is taken away, once; 60 unless given, 15 in a run of fewer than 60 kills
  --minutes   about how long faults are injected; they are spread over it. Unless given, as long as the kills need
  --seed      decides which faults come in which order; printed, so that a run can be repeated
  --busy      this machine has other work to do: what took longer than promised is reported, but is no finding; what
              never recovered, or was never answered, still is
  --json      the last line of stdout is one object with the figures; progress goes to stderr
  --help

Exit codes: 0 all promises held, 1 at least one did not (the summary names the operations), 2 it could not run.
`;
export const FLAGS = {
  kills: { type: 'string', default: '30' },
  cuts: { type: 'string', default: '100' },
  away: { type: 'string' },
  minutes: { type: 'string' },
  seed: { type: 'string' },
  busy: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const MINUTES_MAX = 24 * 60;
const AWAY_MAX_SECONDS = 3_600;
const SEED_MAX = 9_999_999;
const SEEDS_DRAWN = 1_000_000;
/** In a short run a minute would be most of it. */
const SHORT_RUN_KILLS = 60;

export interface FlagValues {
  kills: string;
  cuts: string;
  away?: string;
  minutes?: string;
  seed?: string;
  busy?: boolean;
  json?: boolean;
}

/** @throws OperatorError when a flag says something that it may not */
export function planOf({ kills, cuts, away, minutes, seed, busy = false, json = false }: FlagValues): FaultPlan {
  const upTo = (most: number, flag: string, text: string) => wholeNumber(flag, text, { least: 0, most });
  return {
    kills: upTo(100_000, 'kills', kills),
    cuts: upTo(1_000_000, 'cuts', cuts),
    brokerAwayMs: 1_000 * upTo(AWAY_MAX_SECONDS, 'away', away ?? brokerAwaySeconds(Number(kills))),
    ...(minutes !== undefined && { minutes: upTo(MINUTES_MAX, 'minutes', minutes) }),
    seed: upTo(SEED_MAX, 'seed', seed ?? String(Date.now() % SEEDS_DRAWN)),
    judgesTimes: !busy,
    json,
  };
}

const brokerAwaySeconds = (kills: number) => (kills < SHORT_RUN_KILLS ? '15' : '60');
