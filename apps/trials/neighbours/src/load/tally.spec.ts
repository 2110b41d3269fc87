import { Answer, UnansweredRequest } from '@stablecoin/testing/merchant-client';
import { Tally } from './tally';

const JSON_HEADERS = ['content-type', 'application/json'];

describe('what the attacker got', () => {
  it('is counted by status and code, and by what broke', async () => {
    const tally = new Tally();
    const accepted = new Answer('GET /wallets', 200, '{}', JSON_HEADERS);
    expect(await tally.outcomeOf(Promise.resolve(accepted))).toBe(accepted);
    const refused = new Answer('GET /wallets', 429, '{"code":"rate_limited"}', JSON_HEADERS);
    expect(await tally.outcomeOf(Promise.resolve(refused))).toBeUndefined();
    const cut = new Answer('GET /wallets', 503, '{"co', JSON_HEADERS);
    expect(await tally.outcomeOf(Promise.resolve(cut))).toBeUndefined();
    const broken = new UnansweredRequest('GET /wallets', 'ECONNRESET');
    expect(await tally.outcomeOf(Promise.reject(broken))).toBeUndefined();
    expect(tally.told.counts).toEqual({
      ...{ sent: 4, '200': 1, '429 rate_limited': 1, '503 no JSON': 1, ECONNRESET: 1 },
    });
  });

  it('does not hide a fault of the harness', async () => {
    await expect(new Tally().outcomeOf(Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
  });
});
