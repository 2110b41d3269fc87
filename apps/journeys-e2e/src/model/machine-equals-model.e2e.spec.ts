/**
 * Random sequences of commands over HTTP, and an in-memory model that is asked the same: what the one accepts or refuses, the
 * other does, with the same code; balances, lists and totals are the same after each. See model.ts for the model, commands/
 * for what a sequence is made of, runs.ts for how a disagreement is told.
 *
 * `npm run test:model -- --sequences N --seed S` runs it longer, or one of them again.
 */
import { testStack } from '@stablecoin/testing/stack';
import { auditJson } from '../audit-command';
import { covers } from '../covers';
import { OwnStack, startOwnStack } from '../own-stack';
import { Report, runSequences } from './runs';
import { killService } from './kill-service';

covers('Rules: the service equals its model');

const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? '500');
const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000);
/** One in forty restarts services; a single one, asked for by its seed, may be of either kind. */
const RESTARTING = Math.ceil(SEQUENCES / 40);
const PER_SEQUENCE_MS = 5_000;
const AT_ONCE = 12;

/** What a run of some length must have met, or it says little. */
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

const progressOf =
  (count: number) =>
  ({ sequences, commands }: Report): void =>
    void process.stderr.write(`  ${sequences} of ${count} sequences, ${commands} commands\n`);

function tell(what: string, { sequences, commands, endings }: Report, seed: number, startedAt: number): void {
  const counts = [...endings]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, count]) => `${name} ×${count}`);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
  process.stderr.write(
    `${what}, seed ${seed}: ${sequences} sequences, ${commands} commands, ${seconds} s; ${counts.join(', ')}\n`,
  );
}

describe('the service and its model', () => {
  it(
    `agree on ${SEQUENCES} sequences, seed ${SEED}`,
    async () => {
      const startedAt = Date.now();
      const plan = { stack: testStack(), count: SEQUENCES, seed: SEED, atOnce: AT_ONCE };
      const report = await runSequences({ ...plan, tell: progressOf(SEQUENCES) });
      tell('model', report, SEED, startedAt);
      if (report.found !== undefined) throw new Error(report.found);
      expect(report.sequences).toBe(SEQUENCES);
      if (SEQUENCES >= ENOUGH) expect(ENDINGS.filter((ending) => !report.endings.has(ending))).toEqual([]);
    },
    180_000 + SEQUENCES * PER_SEQUENCE_MS,
  );

  describe('while services are restarted', () => {
    let own: OwnStack;

    beforeAll(async () => {
      // Quotes outlive whatever a restart takes: what expires meanwhile would be a matter of luck.
      own = await startOwnStack({ QUOTE_TTL_MS: '600000' });
    }, 240_000);

    afterAll(() => own?.stop(), 90_000);

    it(
      `agree on ${RESTARTING} sequences, seed ${SEED}, and the log verifies`,
      async () => {
        const startedAt = Date.now();
        const strike = killService(own.description);
        const plan = { stack: own.description, count: RESTARTING, seed: SEED, atOnce: AT_ONCE, strike };
        const report = await runSequences({ ...plan, tell: progressOf(RESTARTING) });
        tell('model with restarts', report, SEED, startedAt);
        if (report.found !== undefined) throw new Error(report.found);
        expect(report.sequences).toBe(RESTARTING);
        const { code, report: audit } = await auditJson<{ ok: boolean }>(own.description, 'verify');
        expect({ code, ok: audit.ok }).toEqual({ code: 0, ok: true });
      },
      300_000 + RESTARTING * 60_000,
    );
  });
});
