import { Plain } from '@stablecoin/contracts/wire/operation';
import { randomBytes } from 'node:crypto';
import { HoldPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { PAYOUT_DESTINATION_FIELD } from '@stablecoin/contracts/wallet/views';
import { unwrapDataKey } from '@stablecoin/personal-data/data-key';
import { sealField } from '@stablecoin/personal-data/sealed-field';
import { RunningGateway, startGateway } from '../../testing/gateway-process';
import {
  busKey,
  held,
  MERCHANT,
  nats,
  owners,
  personalDataKey,
  standIns,
  useGateway,
} from '../../testing/gateway-fixture';

useGateway();

const LIMITS = { rateLimitPerSecond: 50, rateLimitBurst: 1_000 };
const next = randomBytes(32);

/** How a gateway with these keys shows a payout whose owner's data key is wrapped with the fixture's master key. */
async function shownBy(keys: { personalDataKey: Buffer; personalDataPreviousKey?: Buffer }) {
  const wrapped = owners.get(MERCHANT)?.wrapped_data_key as string;
  const destination = JSON.stringify({ account_number: '0123456789', recipient_name: 'Ada' });
  const sealed_destination = sealField(
    unwrapDataKey(personalDataKey, wrapped, MERCHANT),
    MERCHANT,
    PAYOUT_DESTINATION_FIELD,
    destination,
  );
  const payout = { ...held({ merchant_id: MERCHANT } as Plain<HoldPayout>), bank_code: '058', sealed_destination };
  standIns.on(listTransactions, () => ({ items: [payout], total: 1, page: 1, limit: 10 }));
  const gateway: RunningGateway = await startGateway(nats.url, {
    busKey,
    inputHashKey: randomBytes(32),
    ...LIMITS,
    ...keys,
  });
  try {
    const response = await fetch(`${gateway.origin}/api/transactions`, { headers: { 'x-api-key': 'good' } });
    return { status: response.status, body: (await response.json()) as { data?: object[]; code?: string } };
  } finally {
    await gateway.stop();
  }
}

describe('a data key', () => {
  it('opens with the current master key, and with the previous one', async () => {
    for (const keys of [{ personalDataKey }, { personalDataKey: next, personalDataPreviousKey: personalDataKey }]) {
      const { status, body } = await shownBy(keys);
      expect({ status, shown: body.data?.[0] }).toEqual({
        status: 200,
        shown: expect.objectContaining({
          reason: 'Payout to 0123456789 (058)',
          withdrawal_recipient_name: 'Ada',
        }) as object,
      });
    }
  });

  it('whose master key was dropped too early is reported as an error, not as erased', async () => {
    expect(await shownBy({ personalDataKey: next })).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  });
});
