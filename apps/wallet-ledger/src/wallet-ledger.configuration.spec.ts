import { SHARDS_MAX } from '@stablecoin/ledger-domain/transaction-code';
import { LEDGER_SHARDS } from '@stablecoin/service-host/repeated-settings';

it('takes as many shards as a transaction code has room for, and no more', () => {
  expect(LEDGER_SHARDS.read(String(SHARDS_MAX))).toBe(SHARDS_MAX);
  expect(() => LEDGER_SHARDS.read(String(SHARDS_MAX + 1))).toThrow('a whole number from 1 to');
});
