import { FILE } from './customer-content';
import { EVENT, MEMBERS, PASSKEYS, TRANSACTIONS, WALLETS, WEBHOOKS } from './stub-content';

it('each id names one thing, so that what a test finds by one is what it means', () => {
  const ids = [
    ...TRANSACTIONS.map(({ id }) => id),
    ...TRANSACTIONS.map(({ transaction_id }) => transaction_id),
    ...WALLETS.map(({ id }) => id),
    // An address may be that of several networks, and of all wallets here.
    ...(WALLETS[0]?.addresses.map(({ id }) => id) ?? []),
    ...MEMBERS.flatMap(({ member_id, person_id }) => [member_id, person_id]),
    ...PASSKEYS.map(({ passkey_id }) => passkey_id),
    ...WEBHOOKS.map(({ id }) => id),
    ...FILE.documents.map(({ id }) => id),
    EVENT.id,
  ];
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
});
