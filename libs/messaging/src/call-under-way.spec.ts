import { ErrorCode, NatsError } from 'nats';
import { AnswerLost, CallUnderWay } from './call-under-way';

const DEADLINE_MS = 4_000;
const answered = { ok: true, body: 1 };
const refused = (code: string) => ({ ok: false, code });
const noResponder = () => new NatsError('no one', ErrorCode.NoResponders);

/** A call whose attempts end as the test says. */
function underWay({ everyMs, isConnected = () => true }: { everyMs?: number; isConnected?: () => boolean } = {}) {
  const attempts: { reply: (reply: unknown) => void; fail: (error: unknown) => void }[] = [];
  const ask = () => new Promise<unknown>((reply, fail) => void attempts.push({ reply, fail }));
  const call = new CallUnderWay({ ask, timeoutMs: DEADLINE_MS, everyMs, isConnected });
  return { call, attempts };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a call that is asked again', () => {
  it('is answered by the first reply, whichever attempt has it', async () => {
    const { call, attempts } = underWay();
    call.askAgain();
    attempts[1]?.reply(answered);
    attempts[0]?.reply(refused('not_found'));
    await expect(call.answer).resolves.toBe(answered);
  });

  it('is not asked while there is no connection', () => {
    const { call, attempts } = underWay({ isConnected: () => false });
    call.askAgain();
    expect(attempts).toHaveLength(1);
  });

  it('is asked once more while its first attempt is in flight at another instance', async () => {
    const { call, attempts } = underWay();
    call.askAgain();
    attempts[1]?.reply(refused('idempotency_in_flight'));
    await jest.advanceTimersByTimeAsync(300);
    expect(attempts).toHaveLength(3);
    attempts[2]?.reply(answered);
    await expect(call.answer).resolves.toBe(answered);
  });

  it('is in flight for another caller when its first and only attempt hears so', async () => {
    const { call, attempts } = underWay();
    attempts[0]?.reply(refused('idempotency_in_flight'));
    await expect(call.answer).resolves.toEqual(refused('idempotency_in_flight'));
  });

  it('is asked until there is an instance, and then ends as unknown, never as not executed', async () => {
    const { call, attempts } = underWay();
    call.askAgain();
    attempts[0]?.fail(new NatsError('late', ErrorCode.Timeout));
    for (let attempt = 1; attempt < 5; attempt += 1) {
      attempts[attempt]?.fail(noResponder());
      await jest.advanceTimersByTimeAsync(60);
    }
    expect(attempts).toHaveLength(6);
    const ended = expect(call.answer).rejects.toBeInstanceOf(AnswerLost);
    await jest.advanceTimersByTimeAsync(DEADLINE_MS);
    await ended;
  });

  it('was not executed when its only attempt met no instance', async () => {
    const { call, attempts } = underWay();
    const error = noResponder();
    attempts[0]?.fail(error);
    await expect(call.answer).rejects.toBe(error);
  });

  it('ends at its deadline, and is not asked after its end', async () => {
    const { call, attempts } = underWay({ everyMs: 1_500 });
    const ended = expect(call.answer).rejects.toBeInstanceOf(AnswerLost);
    await jest.advanceTimersByTimeAsync(DEADLINE_MS);
    await ended;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(attempts).toHaveLength(3);
    expect(jest.getTimerCount()).toBe(0);
  });
});
