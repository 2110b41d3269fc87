/** Which faults come in which order: drawn from the seed, all kinds alike often, so that a run can be repeated. */
import { SERVICES } from '@stablecoin/local-stack/environment';
import { Drawing } from '@stablecoin/testing/drawing';

export const KILLS = [
  ...SERVICES.map((service) => `kill -9 ${service}` as const),
  'kill -9 broker',
  'kill -9 database backend',
  'kill -9 database',
  'pg_ctl stop -m immediate',
] as const;
const PAUSES = [
  'SIGSTOP wallet-ledger',
  'SIGSTOP database',
  'SIGSTOP broker',
  'SIGSTOP payout',
  'SIGSTOP customer',
  'SIGSTOP swap-pricing',
  'SIGSTOP gateway',
  'SIGSTOP database backend',
] as const;
export const OUTAGES = ['broker away', 'database disk full'] as const;
/** Nothing is done: how long the measure of a recovery takes by itself. */
export const CONTROL = 'no fault';

export type Fault = (typeof KILLS)[number] | (typeof PAUSES)[number] | (typeof OUTAGES)[number] | typeof CONTROL;

const KILLS_PER_PAUSE = 25;
const PAUSES_MIN = 2;

/** The kills, with pauses, as many controls, and the two long outages among them at even distances. */
export function faultSequence(kills: number, draw: Drawing): Fault[] {
  if (kills === 0) return [];
  const blocks = Math.ceil(kills / KILLS.length);
  const sequence: Fault[] = Array.from({ length: blocks }, () => draw.shuffled(KILLS))
    .flat()
    .slice(0, kills);
  const pauses = Math.max(PAUSES_MIN, Math.round(kills / KILLS_PER_PAUSE));
  const first = Math.floor(draw.next() * PAUSES.length);
  const others: Fault[] = Array.from(
    { length: pauses },
    (_, index) => [PAUSES[(first + index) % PAUSES.length] as Fault, CONTROL] as const,
  ).flat();
  others.splice(Math.floor(others.length / 3), 0, 'database disk full');
  others.splice(Math.floor((others.length * 2) / 3), 0, 'broker away');
  const distance = sequence.length / (others.length + 1);
  others.forEach((fault, index) => sequence.splice(Math.round(distance * (index + 1)) + index, 0, fault));
  return sequence;
}
