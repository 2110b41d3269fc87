import { RunningCommands } from './running-commands';

describe('a command that is being executed', () => {
  it('is in flight for its repeats, and no longer when it has ended, also with an error', async () => {
    const running = new RunningCommands();
    let fail = (): void => undefined;
    const first = running.once('one', () => new Promise((_, reject) => (fail = () => reject(new Error('fails')))));
    const repeat = jest.fn(() => Promise.resolve('repeated'));
    await expect(running.once('one', repeat)).rejects.toMatchObject({ code: 'idempotency_in_flight' });
    expect(repeat).not.toHaveBeenCalled();
    await expect(running.once('another', repeat)).resolves.toBe('repeated');
    fail();
    await expect(first).rejects.toThrow('fails');
    await expect(running.once('one', repeat)).resolves.toBe('repeated');
  });
});
