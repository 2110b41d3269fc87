import { eventually } from './eventually';

describe('eventually', () => {
  it('returns what the probe finds once it finds it', async () => {
    let tries = 0;
    const found = await eventually('the third try', () => (++tries === 3 ? 'here' : undefined), { pollMs: 1 });
    expect(found).toBe('here');
  });

  it('tries again after an error', async () => {
    let tries = 0;
    const probe = () => {
      if (++tries < 2) return Promise.reject(new Error('not yet'));
      return Promise.resolve(tries);
    };
    await expect(eventually('the second try', probe, { pollMs: 1 })).resolves.toBe(2);
  });

  it('names what was awaited, and the last error, at the deadline', async () => {
    const probe = () => {
      throw new Error('still closed');
    };
    await expect(eventually('the door opens', probe, { timeoutMs: 5, pollMs: 1 })).rejects.toThrow(
      'Not within 5 ms: the door opens. Error: still closed',
    );
  });
});
