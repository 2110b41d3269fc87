/** What strikes a move, and at which of its steps: drawn from the seed, all kinds alike often, so that a run can be repeated. */
import { Drawing } from '@stablecoin/testing/drawing';
import type { Step } from './placement';

/** Killed as by `kill -9`, or, of a Postgres, stopped as by a power failure and started again a while later. */
export type Victim = 'mover' | 'owner' | 'source' | 'target' | 'bystander' | 'broker';
export type Moment = Step | 'any moment';

export interface Strike {
  victims: readonly Victim[];
  moment: Moment;
}

const strike = (moment: Moment, ...victims: Victim[]): Strike => ({ victims, moment });

/** The first ones are what a short run tries. */
const FIRST: readonly Strike[] = [
  strike('departed', 'mover'),
  strike('reserved', 'source'),
  strike('departed', 'target'),
  strike('reserved', 'owner'),
];
const FURTHER: readonly Strike[] = [
  ...(['taken', 'copying', 'reserved', 'any moment'] as const).map((moment) => strike(moment, 'mover')),
  ...(['copying', 'departed', 'any moment'] as const).map((moment) => strike(moment, 'owner')),
  ...(['copying', 'departed', 'any moment'] as const).map((moment) => strike(moment, 'source')),
  ...(['copying', 'reserved', 'any moment'] as const).map((moment) => strike(moment, 'target')),
  ...(['reserved', 'any moment'] as const).map((moment) => strike(moment, 'broker')),
  strike('departed', 'mover', 'source'),
  strike('departed', 'mover', 'target'),
];
/** Only where there is a database that neither side of a move is on. */
const WITH_A_THIRD: readonly Strike[] = [strike('any moment', 'bystander')];

/** @param databases how many the ledger has */
export function strikeSequence(count: number, databases: number, draw: Drawing): Strike[] {
  const sequence = [...draw.shuffled(FIRST), ...draw.shuffled([...FURTHER, ...(databases > 2 ? WITH_A_THIRD : [])])];
  while (sequence.length < count) sequence.push(...draw.shuffled(sequence));
  return sequence.slice(0, count);
}

const STRUCK: Readonly<Record<Victim, string>> = {
  mover: 'kill -9 mover',
  owner: "kill -9 the shard's owner",
  source: "the source's Postgres stopped at once",
  target: "the target's Postgres stopped at once",
  bystander: "another shard's Postgres stopped at once",
  broker: 'kill -9 broker',
};

export const toldStrike = ({ victims, moment }: Strike): string =>
  `${victims.map((victim) => STRUCK[victim]).join(' and ')}, ${moment}`;
