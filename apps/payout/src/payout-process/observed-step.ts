import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { beginSpan, during } from '@stablecoin/telemetry/traces/tracing';
import { PayoutRow } from './payout-row';

/**
 * Metrics and traces of a payout's steps. No request waits for a step, which may run days after the request: each step
 * is a trace of its own, linked with the one in which this instance learned of the payout, if it did.
 */
export async function observedStep(
  { state }: Pick<PayoutRow, 'state'>,
  acceptedIn: string | undefined,
  make: () => Promise<void>,
): Promise<void> {
  const span = beginSpan(`payout step ${state}`, {
    kind: 'internal',
    links: acceptedIn === undefined ? [] : [acceptedIn],
  });
  try {
    await during(span, make);
    instruments.payout_steps_total.inc({ state, outcome: 'made' });
  } catch (error) {
    instruments.payout_steps_total.inc({ state, outcome: 'failed' });
    throw error;
  }
}
