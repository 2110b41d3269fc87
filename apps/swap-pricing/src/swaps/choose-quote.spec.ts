import { ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { QuoteRow } from '../quotes/quote-row';
import { judgeQuote } from './choose-quote';

const quote = (over: Partial<QuoteRow> = {}) =>
  ({
    state: 'open',
    from_currency: 'USDT',
    to_currency: 'NGN',
    from_amount: '10.00000000',
    expired: false,
    terms_mac: 'sound',
    ...over,
  }) as QuoteRow;
const mac = { fits: ({ terms_mac }: QuoteRow) => terms_mac === 'sound' };
const command = (over: Partial<ExecuteSwap> = {}) =>
  Object.assign(new ExecuteSwap(), { from_currency: 'USDT', to_currency: 'NGN', amount: '10' }, over);
const named = { quote_id: '11111111-1111-4111-8111-111111111111' };
const used = { state: 'used' } as const;

describe('which quote may be executed', () => {
  it.each([
    ['an open one', quote(), command(), 'claim'],
    ['one whose amount is written otherwise', quote(), command({ amount: '10.00' }), 'claim'],
    ['one that someone is executing', quote({ state: 'claimed' }), command(), 'await'],
    ['one that someone was executing when it expired', quote({ state: 'claimed', expired: true }), command(), 'await'],
    ['none', undefined, command(), 'quote_required'],
    ['none of that name', undefined, command(named), 'not_found'],
    [
      'a currency for itself, before asking for a quote',
      undefined,
      command({ to_currency: 'USDT' }),
      'unsupported_pair',
    ],
    [
      'a currency for itself, after asking for the name',
      undefined,
      command({ ...named, to_currency: 'USDT' }),
      'not_found',
    ],
    ['another pair than the named one', quote(), command({ ...named, to_currency: 'GBP' }), 'quote_mismatch'],
    ['another amount than the named one', quote(), command({ ...named, amount: '10.01' }), 'quote_mismatch'],
    ['a used one of another amount', quote(used), command({ ...named, amount: '11' }), 'quote_mismatch'],
    ['a used one', quote(used), command(), 'quote_used'],
    ['a used one that has expired', quote({ ...used, expired: true }), command(named), 'quote_used'],
    ['an expired one', quote({ expired: true }), command(), 'quote_expired'],
    ['one that was not promised', quote({ terms_mac: 'forged' }), command(), 'quote_expired'],
  ])('%s', (_case, found, asked, verdict) => {
    const judged = () => judgeQuote(found, asked, mac).next;
    if (verdict === 'claim' || verdict === 'await') expect(judged()).toBe(verdict);
    else expect(judged).toThrow(new Refusal(verdict as Refusal['code']));
  });
});
