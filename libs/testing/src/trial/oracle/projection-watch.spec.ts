import { ShownBalance, wronglyShown } from './projection-watch';

const shown = (balance: string, event: object): ShownBalance => ({
  ...{ shard: 1, account_id: 'wallet', balance, position: '7' },
  body: JSON.stringify({ event }),
});

describe('what an account shows', () => {
  it('is what it was after its last event', () => {
    expect(wronglyShown([shown('5.00000000', { balance_after: '5.00000000' }), shown('5.00000000', {})])).toEqual([]);
  });

  it('is reported when it is anything else', () => {
    expect(wronglyShown([shown('5.00000000', { balance_after: '4.00000000' })])).toEqual([
      'wallet of shard 1 shows 5.00000000, and is 4.00000000 since position 7',
    ]);
  });
});
