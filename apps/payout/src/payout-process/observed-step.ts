import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { beginSpan, during } from '@stablecoin/telemetry/traces/tracing';
import { PayoutRow } from './payout-store';

/**
 * What is measured and traced of a payout's steps. Nobody waits for one, and it may come days after the request: each is
 * a trace of its own, linked with the one in which this instance was told of the payout, if it was.
 */
export async function observedStep(
  { state }: Pick<PayoutRow, 'state'>,
  toldIn: string | undefined,
  make: () => Promise<void>,
): Promise<void> {
  const span = beginSpan(`payout step ${state}`, { kind: 'internal', links: toldIn === undefined ? [] : [toldIn] });
  try {
    await during(span, make);
    instruments.payout_steps_total.inc({ state, outcome: 'made' });
  } catch (error) {
    instruments.payout_steps_total.inc({ state, outcome: 'failed' });
    throw error;
  }
}
