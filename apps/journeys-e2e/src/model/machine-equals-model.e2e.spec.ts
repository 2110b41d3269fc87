/**
 * Sends random sequences of commands over HTTP, and the same to an in-memory model: both must accept, or refuse with
 * the same code; balances, lists and totals must be the same after each command. Every swap and payout is sent as a dry
 * run first, which must change nothing and have the answer that then follows. See model.ts for the model, commands/ for
 * what a sequence is made of, runs.ts for how a disagreement is reported, machine-equals-model-amid-restarts for the same
 * while services are restarted.
 *
 * `npm run test:model -- --sequences N --seed S` runs it longer, or one of them again.
 */
import { testStack } from '@stablecoin/testing/stack';
import { covers } from '../covers';
import { runAndReport, SEED, SEQUENCES } from './reported-runs';

covers('Rules: the service equals its model');

const PER_SEQUENCE_MS = 5_000;

/** The endings of requests that a long run must contain, to be worth something. */
const ENDINGS = [
  '200',
  '201',
  '400 validation_failed',
  '404 not_found',
  '409 customer_not_empty',
  '409 customer_type_mismatch',
  '409 email_taken',
  '409 invalid_transition',
  '409 phone_taken',
  '409 quote_required',
  '409 quote_used',
  '409 wallet_exists',
  '422 amount_too_small',
  '422 customer_closed',
  '422 idempotency_key_reused',
  '422 insufficient_funds',
  '422 quote_mismatch',
  '422 unsupported_pair',
  '422 wallet_not_found',
];
const ENOUGH = 500;

describe('the service and its model', () => {
  it(
    `agree on ${SEQUENCES} sequences, seed ${SEED}`,
    async () => {
      const report = await runAndReport('model', { stack: testStack(), count: SEQUENCES });
      expect(report.sequences).toBe(SEQUENCES);
      if (SEQUENCES >= ENOUGH) expect(ENDINGS.filter((ending) => !report.endings.has(ending))).toEqual([]);
    },
    180_000 + SEQUENCES * PER_SEQUENCE_MS,
  );
});
