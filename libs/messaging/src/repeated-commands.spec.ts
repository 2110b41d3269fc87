import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ReplyEnvelope } from './envelope';
import { RepeatedCommands } from './repeated-commands';

const body = { command_id: 'a', merchant_id: 'm', input_hash: 'h' };
const inFlight = () => Promise.reject(new Refusal('idempotency_in_flight'));
const reply = (replayed: boolean): ReplyEnvelope => ({ ok: true, body: { result: 1, replayed } });
const refusedInFlight = expect.objectContaining({ code: 'idempotency_in_flight' }) as Error;

describe('repeats of a command that arrive at once', () => {
  let commands: RepeatedCommands;
  let end: (reply: ReplyEnvelope) => void;
  let fail: (error: Error) => void;
  let first: Promise<ReplyEnvelope>;

  beforeEach(() => {
    commands = new RepeatedCommands();
    first = commands.answer('wallet.open', body, () => new Promise((...ends) => ([end, fail] = ends)));
  });
  const repeat = (change: object = {}) => commands.answer('wallet.open', { ...body, ...change }, inFlight);

  it('all get the stored result that one of them finds', async () => {
    const repeats = Array.from({ length: 20 }, () => repeat());
    end(reply(true));
    expect(await Promise.all([first, ...repeats])).toEqual(Array(21).fill(reply(true)));
  });

  it('are in flight while the first takes effect, and also when it fails', async () => {
    const repeats = [repeat(), repeat()];
    end(reply(false));
    expect(await first).toEqual(reply(false));
    for (const one of repeats) await expect(one).rejects.toEqual(refusedInFlight);
    first = commands.answer('wallet.open', body, () => new Promise((...ends) => ([end, fail] = ends)));
    const later = repeat();
    fail(new Refusal('insufficient_funds'));
    await expect(first).rejects.toMatchObject({ code: 'insufficient_funds' });
    await expect(later).rejects.toEqual(refusedInFlight);
  });

  it('wait for it no longer than half a second', async () => {
    jest.useFakeTimers();
    try {
      const refused = expect(repeat()).rejects.toEqual(refusedInFlight);
      await jest.advanceTimersByTimeAsync(500);
      await refused;
    } finally {
      jest.useRealTimers();
    }
  });

  it('wait in a bounded number', async () => {
    const repeats = Array.from({ length: 33 }, () => repeat());
    await expect(repeats[32]).rejects.toEqual(refusedInFlight);
    end(reply(true));
    expect(await Promise.all(repeats.slice(0, 32))).toEqual(Array(32).fill(reply(true)));
  });

  it.each([{ input_hash: 'other' }, { merchant_id: 'other' }, { command_id: 'other' }])(
    'are no repeats with %j',
    async (change) => {
      const other = repeat(change);
      end(reply(true));
      await expect(other).rejects.toEqual(refusedInFlight);
    },
  );

  it('is nothing that a request without a command id waits for', async () => {
    await expect(commands.answer('wallet.list', { page: 1 }, inFlight)).rejects.toEqual(refusedInFlight);
    await expect(commands.answer('wallet.list', null, inFlight)).rejects.toEqual(refusedInFlight);
  });
});
