import { createHash, randomUUID } from 'node:crypto';
import { TransitServer } from '@stablecoin/testing/transit/transit-server';
import { MASTER_KEY, WrapDataKey } from '../testing/outside-services';
import { startPayout } from '../testing/running-service';
import { OwnerKeys } from './owner-keys';

const [current, next] = [MASTER_KEY, createHash('sha256').update('the next master key').digest()].map((key) =>
  key.toString('base64'),
) as [string, string];

/** The key of an owner, whose data key is wrapped with the stand-in's master key, opened with the given master keys. */
async function opened(masterKeys: NodeJS.ProcessEnv, wrap?: WrapDataKey): Promise<string> {
  const service = await startPayout({ providers: [OwnerKeys] }, masterKeys, wrap);
  try {
    const key = await service.app.get(OwnerKeys).keyOf(randomUUID(), null);
    return await Promise.resolve(key.seal.open<string>('field', key.seal.seal('field', 'opened')));
  } finally {
    await service.stop();
  }
}

describe('the data key of an owner', () => {
  it.each([
    ['the current master key', { PERSONAL_DATA_KEY: current }],
    ['the previous one', { PERSONAL_DATA_KEY: next, PERSONAL_DATA_PREVIOUS_KEY: current }],
  ])('opens with %s', async (_which, masterKeys) => {
    await expect(opened(masterKeys)).resolves.toBe('opened');
  });

  it('does not without either: an error that says what to do', async () => {
    await expect(opened({ PERSONAL_DATA_KEY: next })).rejects.toThrow(
      /PERSONAL_DATA_PREVIOUS_KEY until .* rewrap-keys/,
    );
  });

  it('opens in a key management service that is asked for nothing but that', async () => {
    const kms = await TransitServer.start({ tokens: { 'token-of-payout': ['decrypt'] } });
    kms.keys.create('personal-data');
    const wrap = (dataKey: Buffer, ownerId: string) =>
      kms.keys.encrypt('personal-data', {
        plaintext: dataKey.toString('base64'),
        associated_data: Buffer.from(`data-key:${ownerId}`).toString('base64'),
      }).ciphertext;
    const transit = {
      PERSONAL_DATA_KEY: '',
      PERSONAL_DATA_KEYS: 'transit',
      PERSONAL_DATA_TRANSIT_URL: kms.url,
      PERSONAL_DATA_TRANSIT_TOKEN: 'token-of-payout',
    };
    await expect(opened(transit, wrap)).resolves.toBe('opened');
    kms.disturbance = { status: 503 };
    await expect(opened(transit, wrap)).rejects.toMatchObject({ code: 'unavailable' });
    await kms.stop();
  });
});
