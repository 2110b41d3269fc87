import { MAX_SHARDS } from '@stablecoin/ledger-domain/transaction-code';
import { LEDGER_SHARDS } from '@stablecoin/service-host/repeated-settings';

it('takes as many shards as a transaction code has room for, and no more', () => {
  expect(LEDGER_SHARDS.read(String(MAX_SHARDS))).toBe(MAX_SHARDS);
  expect(() => LEDGER_SHARDS.read(String(MAX_SHARDS + 1))).toThrow('a whole number from 1 to');
});
