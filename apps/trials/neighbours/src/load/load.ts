import { MerchantClient } from '@stablecoin/testing/merchant-client';
import type { Attacker } from './attacker-account';
import type { Tally } from './tally';

/** Of the last byte: neither 0, 1, the victim's, nor 255. */
const ADDRESSES_PER_GROUP = 250;

/**
 * The limits by address must tell the attacker from the victim, who comes from 127.0.0.1. On Linux every address of
 * 127.0.0.0/8 is the machine's own.
 */
export const attackerAddress = (number: number): string =>
  `127.0.${Math.floor(number / ADDRESSES_PER_GROUP)}.${2 + (number % ADDRESSES_PER_GROUP)}`;

/** What one attack works with. */
export interface LoadRun {
  /** Of the API, such as `http://127.0.0.1:3000/api`. */
  baseUrl: string;
  attacker: Attacker;
  seconds: number;
  tally: Tally;
  /** Aborts when the time is over. */
  signal: AbortSignal;
}

/** Resolves at the earliest when the signal aborts, once it has cleaned up. What it has under way is cut off then. */
export type Load = (run: LoadRun) => Promise<void>;

/** The attacker's program, which comes from an address of its own. */
export const attackerClient = (run: LoadRun, connections: number): MerchantClient =>
  new MerchantClient({ ...optionsOf(run, connections), apiKey: run.attacker.apiKey });

/** The same with no key but those that its requests name. */
export const keylessClient = (run: LoadRun, connections: number): MerchantClient =>
  new MerchantClient(optionsOf(run, connections));

const optionsOf = ({ baseUrl }: LoadRun, connections: number) => ({
  ...{ baseUrl, connections, localAddress: attackerAddress(0) },
  drawsIdempotencyKeys: true,
});

export function untilOver(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
