import { BackgroundLoop } from './background-loop';

const EVERY_MS = 60_000;
const BATCH_ROWS = 1_000;
const BATCHES_MAX = 50;

/**
 * Runs `purge` once a minute, or every `everyMs`, for the first time after as long. `failed` reports an error; the next purge
 * follows as usual.
 */
export function retentionLoop(
  purge: (signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
  everyMs: number = EVERY_MS,
): BackgroundLoop {
  return new BackgroundLoop({
    firstPauseMs: everyMs,
    pass: async (signal) => {
      await purge(signal);
      return everyMs;
    },
    failed: (error) => {
      failed(error);
      return everyMs;
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
