import { deposit, hold, MERCHANT, open, resolve, Scenario } from '@stablecoin/ledger-domain/testing/ledger-scenario';
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

describe('the facts of a payout that has to be approved and to wait', () => {
  const SIGNER = { key_id: 'key', signer_id: 'signer' };
  const START = '2026-12-01T10:00:00.000Z';
  const AN_HOUR_LATER = '2026-12-01T11:00:00.000Z';
  const TWO_HOURS_LATER = '2026-12-01T12:00:00.000Z';

  it('say until when it waits, and by their movement when it may be sent', () => {
    const ledger = new Scenario();
    ledger.now = START;
    ledger.given(open('USD'), deposit('50'));
    ledger.given({
      ...{ kind: 'ChangePolicy', merchant_id: MERCHANT, changed_by: 'an operator', reason: 'case 1' },
      policy: {
        limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '50.00000000' }],
        new_destination_wait_seconds: 7_200,
        approval: {
          ...{ above: [], new_destination: true, new_rail: false, approvers: 2, expires_after_seconds: 3_600 },
        },
      },
    });
    ledger.given(
      hold('10', { destination_hash: 'somewhere', created_by: { key_id: 'creator', signer_id: 'creator' } }),
    );
    const approval_hash = ledger.state.transaction('payout-1')?.under_policy?.approval?.hash ?? '';
    for (const name of ['one', 'other']) {
      const signer = { key_id: `${SIGNER.key_id} ${name}`, signer_id: `${SIGNER.signer_id} ${name}` };
      ledger.given({ kind: 'ApprovePayout', merchant_id: MERCHANT, transaction: 'payout-1', approval_hash, signer });
    }
    ledger.now = TWO_HOURS_LATER;
    ledger.given({ kind: 'EndPayoutWait', merchant_id: MERCHANT, transaction: 'payout-1' }, resolve('COMPLETED'));
    const facts = groupsOf(ledger.events)
      .map((group) => factOf(group, ledger.state.transactions))
      .filter(({ movement }) => movement.startsWith('payout-'));
    const told = facts.map(({ movement, transactions: [first] }) => [movement, first?.status, first?.waiting]);
    expect(told).toEqual([
      ['payout-waiting', 'PENDING', { for: 'approval', until: AN_HOUR_LATER }],
      ['payout-approved', 'PENDING', { for: 'approval', until: AN_HOUR_LATER }],
      ['payout-approved', 'PENDING', { for: 'cooling_off', until: TWO_HOURS_LATER }],
      ['payout-released', 'PENDING', undefined],
      ['payout-completed', 'COMPLETED', undefined],
    ]);
    expect(new Set(facts.map(({ transactions: [first] }) => first?.approval_hash))).toEqual(new Set([approval_hash]));
  });
});
