import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  timeoutMs?: number;
  pollMs?: number;
}

/**
 * Waits for a fact that another process brings about: asks `probe` again and again until it returns something other
 * than undefined and false, and returns that. At the deadline it fails with what was awaited and how the last try ended.
 */
export async function eventually<T>(
  awaited: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 10_000, pollMs = 25 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const outcome = await attempt(probe);
    if (outcome.value !== undefined && outcome.value !== false) return outcome.value;
    if (Date.now() >= deadline) {
      throw new Error(`Not within ${timeoutMs} ms: ${awaited}. ${lastTry(outcome.error)}`, {
        cause: outcome.error,
      });
    }
    await sleep(pollMs);
  }
}

const lastTry = (error: unknown) => (error === undefined ? 'The last try found nothing.' : String(error));

async function attempt<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<{ value?: T | false; error?: unknown }> {
  try {
    const value = await probe();
    return value === undefined ? {} : { value };
  } catch (error) {
    return { error };
  }
}
