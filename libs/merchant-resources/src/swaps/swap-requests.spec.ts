import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { RefreshQuoteBody } from './swap-requests';

function problemsOf(body: object): string[] {
  try {
    validateRequest(RefreshQuoteBody, { from_currency: 'usdt', to_currency: 'NGN', ...body });
    return [];
  } catch (error) {
    return ((error as Refusal).fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  }
}

describe('body of POST /swaps/{swapId}/refresh', () => {
  it.each([
    [{ from_amount: '10' }, []],
    [{ amount: '10' }, []],
    [{ from_amount: '10', amount: '10' }, []],
    [{ from_amount: '10', amount: '10.0' }, []],
    [{ from_amount: '10', amount: '10.00000001' }, ['amount: conflicting_fields']],
    [{ from_amount: 'x', amount: '10' }, ['from_amount: invalid_amount']],
    [{}, ['from_amount: required']],
    [{ from_amount: 10 }, ['from_amount: invalid_amount']],
    [{ amount: null }, ['from_amount: required']],
    [{ from_amount: null, amount: '10' }, []],
    [{ from_amount: '10', amount: '-1' }, ['amount: invalid_amount']],
  ])('%j → %j', (body, problems) => {
    expect(problemsOf(body)).toEqual(problems);
  });
});
