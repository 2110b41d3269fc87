/**
 * The product equals its model while its services are restarted: the sequences of machine-equals-model, on a stack of
 * their own, and with steps that kill or stop a service.
 */
import { auditJson } from '../audit-command';
import { OwnStack, startOwnStack } from '../own-stack';
import { killService } from './kill-service';
import { runAndReport, SEED, SEQUENCES } from './reported-runs';

/** One sequence in forty restarts services; a single one, named by its seed, may be of either kind. */
const RESTARTING = Math.ceil(SEQUENCES / 40);

describe('the service and its model, while services are restarted', () => {
  let own: OwnStack;

  beforeAll(async () => {
    // Quotes outlive any restart: otherwise it would depend on chance which ones expire meanwhile.
    own = await startOwnStack({ QUOTE_TTL_MS: '600000' });
  }, 240_000);

  afterAll(() => own?.stop(), 90_000);

  it(
    `agree on ${RESTARTING} sequences, seed ${SEED}, and the log verifies`,
    async () => {
      const strike = killService(own.description);
      const report = await runAndReport('model with restarts', { stack: own.description, count: RESTARTING, strike });
      expect(report.sequences).toBe(RESTARTING);
      const { code, report: audit } = await auditJson<{ ok: boolean }>(own.description, 'verify');
      expect({ code, ok: audit.ok }).toEqual({ code: 0, ok: true });
    },
    300_000 + RESTARTING * 60_000,
  );
});
