import { deposit, hold, open, resolve, Scenario } from '@stablecoin/ledger-domain/testing/ledger-scenario';
import { factOf, groupsOf } from './facts-of';

const HASH = `0x${'ab'.repeat(32)}`;
const REPLACED = `0x${'cd'.repeat(32)}`;

/** The facts of a payout over a chain, each made when all of it was over. */
function factsOfPayout(resolution: 'COMPLETED' | 'FAILED', rail_reference: string | null) {
  const ledger = new Scenario().given(
    open('USDT', { network: 'erc20' }),
    deposit('50', { wallet_id: 'wallet-USDT', network: 'erc20', crypto_transaction_id: REPLACED }),
    hold('10', { currency: 'USDT', network: 'erc20', bank_name: null, bank_code: null }),
    { ...resolve(resolution), rail_reference },
  );
  const facts = groupsOf(ledger.events).map((group) => factOf(group, ledger.state.transactions));
  return Object.fromEntries(facts.map(({ movement, transactions: [first] }) => [movement, first]));
}

describe('the fact of a payout over a chain', () => {
  it('names its transaction where it ends, and not before', () => {
    const facts = factsOfPayout('COMPLETED', HASH);
    expect(facts['payout-completed']).toMatchObject({ status: 'COMPLETED', crypto_transaction_id: HASH });
    expect(facts['payout-accepted']).not.toHaveProperty('crypto_transaction_id');
    expect(facts['deposit-recorded']).toMatchObject({ crypto_transaction_id: REPLACED });
  });

  it('names none where it was never signed', () => {
    expect(factsOfPayout('FAILED', null)['payout-failed']).not.toHaveProperty('crypto_transaction_id');
  });
});
