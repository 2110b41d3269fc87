import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import { eventHash, GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { ChainVerifier } from '@stablecoin/event-chain/verify-chain';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { Upcasters } from '@stablecoin/ledger-domain/upcast';
import { recordedEvent } from './event-rows';

const WALLET = '0199f000-0000-7000-8000-000000000001';
const MERCHANT = '0199f000-0000-7000-8000-000000000002';
const CUSTOMER = null;

/** An event as an older version might have written it: with another name for the index, and without a balance. */
const older = canonicalText({
  shard: 0,
  position: 1,
  group: 1,
  movement: 'wallet-opened',
  recorded_at: '2026-11-21T12:00:00.000Z',
  command_id: '0199f000-0000-7000-8000-000000000003',
  merchant_id: MERCHANT,
  customer_id: CUSTOMER,
  event: { type: 'WalletOpened', version: 0, wallet_id: WALLET, currency: 'USD', index: 7 },
});
const upcasters: Upcasters = {
  WalletOpened: { 0: ({ index, ...event }) => ({ ...event, address_index: index, balance_after: '0.00000000' }) },
};

describe('an event of an older shape', () => {
  it('is hashed as it is stored, and folded in the shape of today', () => {
    const chain = new ChainVerifier(0);
    const hash = eventHash(GENESIS_HASH, older);
    expect(chain.follow({ shard: 0, position: 1, text: older, hash })).toBeUndefined();
    const state = new LedgerState();
    state.apply(recordedEvent(older, upcasters));
    expect(state.wallet(WALLET)).toMatchObject({
      id: WALLET,
      merchant_id: MERCHANT,
      address_index: 7,
      currency: 'USD',
    });
  });

  it('is refused without the upcasters that it needs', () => {
    expect(() => recordedEvent(older)).toThrow('WalletOpened version 0 cannot be read');
  });
});
