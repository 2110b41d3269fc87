import { BackgroundLoop } from './background-loop';

const EVERY_MS = 60_000;
const BATCH_ROWS = 1_000;
const BATCHES_MAX = 50;

/**
 * Runs `purge` once a minute, for the first time after a minute. `failed` reports an error; the next purge follows as usual.
 */
export function retentionLoop(
  purge: (signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): BackgroundLoop {
  return new BackgroundLoop({
    firstPauseMs: EVERY_MS,
    pass: async (signal) => {
      await purge(signal);
      return EVERY_MS;
    },
    failed: (error) => {
      failed(error);
      return EVERY_MS;
    },
  });
}

/**
 * Deletes rows in batches, so that no statement locks many rows for long, until a batch is not full: 1,000 rows a batch,
 * 50 batches at most. `deleteBatch` deletes up to `limit` rows and resolves to how many it deleted.
 */
export async function deleteInBatches(
  deleteBatch: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX && !signal?.aborted; batch += 1) {
    if ((await deleteBatch(BATCH_ROWS)) < BATCH_ROWS) return;
  }
}
