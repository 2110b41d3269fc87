/**
 * A service says with each command in which shard it asks. The ledger refuses none for that: it does not know which shard is a merchant's,
 * and what would refuse the command, money or a wallet, is in the log of the other one.
 */
import { randomUUID } from 'node:crypto';
import { closeCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import type { Site } from '../ground/site';
import { foundByVerify } from '../judging/expectation';
import { does, verified } from './lines';

const command = (merchant_id: string) => ({ merchant_id, command_id: randomUUID(), input_hash: '0'.repeat(64) });

const inAnotherShard = (what: string, ask: (site: Site, shard: number) => Promise<unknown>) =>
  does(what, 'at rest', foundByVerify('a merchant is on one shard'), async (site) => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    const ledger = await site.startLedger(copy);
    try {
      await ledger.verdict();
      await ask(site, 1 - site.people.ada.shard);
      await ledger.verdict();
    } finally {
      await ledger.end();
    }
    return verified(site, copy);
  });

/** The customer service's. */
export const closesInAnotherShard = inAnotherShard(
  "closes in another shard than the merchant's the account of a customer who has money",
  ({ bus, people: { ada } }, shard) => {
    const body = { ...command(ada.merchantId), customer_id: ada.customerId };
    return bus.call(closeCustomerAccount, body, { user: 'customer', shard });
  },
);

/** The gateway's. */
export const opensInAnotherShard = inAnotherShard(
  "opens a wallet of a merchant in another shard than the merchant's",
  ({ bus, people: { ada } }, shard) => {
    const body = { ...command(ada.merchantId), currency: 'EUR', customer_id: randomUUID() } as const;
    return bus.call(openWallet, body, {
      user: 'gateway',
      shard,
      onBehalfOf: { merchantId: ada.merchantId, mode: 'test' },
    });
  },
);
