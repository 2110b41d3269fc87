import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from 'stablecoin-sdk';
import { signedDelivery } from './signed-delivery';

/** As long as a webhook of the service is given. */
const TIMEOUT_MS = 15_000;
/** Before the second attempt and the third: enough for a server that restarts on a change of its code. */
const WAITS_MS = [1_000, 3_000];

export interface Forwarded {
  /** Undefined where none came. */
  status?: number;
  /** Why there is no status. */
  reason?: string;
  durationMs: number;
}

/** Posts until there is a 2xx, at most three times, and gives the last outcome. `onAttempt` gets each. */
export async function forward(
  event: Event,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
  onAttempt: (forwarded: Forwarded) => void,
): Promise<void> {
  for (const waitMs of [...WAITS_MS, undefined]) {
    const forwarded = await post(event, url, secret);
    onAttempt(forwarded);
    if (isTaken(forwarded) || waitMs === undefined || signal.aborted) return;
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

export const isTaken = ({ status = 0 }: Forwarded): boolean => status >= 200 && status < 300;

async function post(event: Event, url: string, secret: string): Promise<Forwarded> {
  const startedAtMs = performance.now();
  const lasted = () => Math.round(performance.now() - startedAtMs);
  const { headers, body } = signedDelivery(event, secret, Date.now());
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel();
    return { status: answer.status, durationMs: lasted() };
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return {
      reason: signal.aborted ? `no answer in ${TIMEOUT_MS} ms` : (cause?.code ?? message),
      durationMs: lasted(),
    };
  }
}
