import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** What a service answers; undefined where it does not run, or does not answer in time. */
export async function orAway<Reply>(asked: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unavailable') return undefined;
    throw error;
  }
}
