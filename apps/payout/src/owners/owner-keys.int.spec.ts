import { createHash, randomUUID } from 'node:crypto';
import { MASTER_KEY } from '../testing/outside-services';
import { startPayout } from '../testing/running-service';
import { OwnerKeys } from './owner-keys';

const [current, next] = [MASTER_KEY, createHash('sha256').update('the next master key').digest()].map((key) =>
  key.toString('base64'),
) as [string, string];

/** The key of an owner, whose data key is wrapped with the stand-in's master key, opened with the given master keys. */
async function opened(masterKeys: NodeJS.ProcessEnv): Promise<string> {
  const service = await startPayout({ providers: [OwnerKeys] }, masterKeys);
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
});
