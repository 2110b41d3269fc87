import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { judgedLog } from '../testing/driven-log';
import { differingFields, expectedResult } from './expected-result';

it('says by whose key a payout that waits was created, which versions before did not show', () => {
  const log = judgedLog(0);
  const state = new LedgerState();
  const first = log.events.find(({ movement }) => movement === 'payout-waiting');
  const group = log.events.filter(({ group: of }) => of === first?.position);
  log.events.filter(({ position }) => position <= (group.at(-1)?.position ?? 0)).forEach((one) => state.apply(one));
  const expected = expectedResult(group, state) ?? {};
  expect(expected['created_by']).toBe(log.signer('creator').key_id);
  const { created_by: _, ...before } = expected;
  expect(differingFields(before, expected)).toEqual([]);
  expect(differingFields({ ...expected, created_by: log.signer('approver').key_id }, expected)).toEqual(['created_by']);
  expect(differingFields({ ...expected, created_by: null }, expected)).toEqual(['created_by']);
});
