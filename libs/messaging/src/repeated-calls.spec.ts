import { ReplyEnvelope } from './envelope';
import { RepeatedCalls } from './repeated-calls';

const reply = (text: string): ReplyEnvelope => ({ ok: true, body: text });

describe('a call whose message arrives again', () => {
  let calls: RepeatedCalls;
  let handled: number;
  beforeEach(() => {
    calls = new RepeatedCalls();
    handled = 0;
  });
  const handle = async () => reply(`handled ${(handled += 1)}`);
  const arrives = (callId: string | undefined, { subject = 'a', at = 'inbox.1' } = {}) =>
    calls.answer({ subject, reply: at }, callId, handle);

  it('is handled once while it is under way and after it was answered', async () => {
    expect(await Promise.all([arrives('1'), arrives('1'), arrives('1')])).toEqual(Array(3).fill(reply('handled 1')));
    expect(await arrives('1')).toEqual(reply('handled 1'));
  });

  it.each([
    [4_900, 'handled 1'],
    [5_100, 'handled 2'],
  ])('is known for as long as a caller can wait for it: after %i ms', async (afterMs, answer) => {
    await arrives('1');
    const later = performance.now() + afterMs;
    const now = jest.spyOn(performance, 'now').mockReturnValue(later);
    expect(await arrives('1')).toEqual(reply(answer));
    now.mockRestore();
  });

  it('is another call with another id, on another subject, and without an id', async () => {
    await arrives('1');
    expect(await arrives('2')).toEqual(reply('handled 2'));
    expect(await arrives('1', { subject: 'b' })).toEqual(reply('handled 3'));
    expect(await arrives(undefined)).toEqual(reply('handled 4'));
    expect(await arrives(undefined)).toEqual(reply('handled 5'));
  });

  it('is found by the subject of each of its replies', async () => {
    await arrives('1');
    await arrives('1', { at: 'inbox.2' });
    expect(calls.callOf('inbox.2')).toEqual({ callId: '1', replySubject: 'inbox.2' });
    expect(calls.callOf('inbox.3')).toBeUndefined();
    expect(calls.recent()).toHaveLength(2);
  });

  it('is one of a bounded number that are kept', async () => {
    for (let id = 0; id < 10_000; id += 1) await arrives(String(id), { at: `inbox.${id}` });
    expect(calls.recent()).toHaveLength(4_000);
    expect(await arrives('9999')).toEqual(reply('handled 10000'));
    expect(await arrives('8000')).toEqual(reply('handled 10001'));
  });
});
