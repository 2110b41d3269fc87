/** Where deposits go, and whose they are. */
import { randomUUID } from 'node:crypto';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { OWNER } from '../ground/databases';
import { noticedBy, refusedBy } from '../judging/expectation';
import { does, sql } from './lines';

/** A wallet, its merchant and the decision on it: one id for all three. */
const ACCOMPLICES = randomUUID();

/** As many as there are at the most. */
const OPENED = 40;

/** The owner's of the ledger's database. */
export const givesAnAddressTwice = does(
  'sets the counter of deposit addresses back, so that the next wallets have the addresses of others',
  'at rest',
  refusedBy('the ledger', 'no address twice'),
  async (site) => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    await copy.as(OWNER, ['ALTER SEQUENCE deposit_address_index RESTART WITH 0']);
    const { merchantId: merchant_id, shard } = site.people.mallory;
    const ledger = await site.startLedger(copy);
    try {
      await ledger.verdict();
      for (let count = 0; count < OPENED; count += 1) {
        const command = { merchant_id, command_id: randomUUID(), input_hash: '0'.repeat(64) };
        const wallet = { customer_id: randomUUID(), currency: 'USDT', network: 'trc20' } as const;
        const asking = { user: 'gateway', shard, onBehalfOf: { merchantId: merchant_id, mode: 'test' } } as const;
        await site.bus.call(openWallet, { ...command, ...wallet }, asking);
      }
    } finally {
      await ledger.end();
    }
    const twice = await copy.rows<{ address: string }>(
      'SELECT address FROM deposit_addresses GROUP BY address HAVING count(DISTINCT wallet_id) > 1',
    );
    if (twice.length > 0) return { became: 'unseen', what: `${twice.length} addresses are those of two wallets` };
    return { became: 'refused', by: 'the ledger', error: 'it gives no address twice' };
  },
);

/** An address that the ledger has given out, and a deposit that came to it. */
const SEEN = [
  `INSERT INTO wallets (id, merchant_id, shard, currency) VALUES (gen_random_uuid(), gen_random_uuid(), 0, 'USDT')`,
  `INSERT INTO deposit_addresses (address, network, wallet_id, recorded_at)
   SELECT sha256(id::text::bytea), 'erc20', id, now() FROM wallets LIMIT 1 ON CONFLICT DO NOTHING`,
  `INSERT INTO deposits (id, network, transaction_hash, token, ordinal, round, from_address, to_address, currency, units, amount,
     rest_units, block_number, block_hash, standing, booked, wallet_id, merchant_id, shard, command_name)
   SELECT gen_random_uuid(), 'erc20', sha256(id::text::bytea), '\\x02', 0, 0, '\\x03', '\\x04', 'USDT', 5000000, '5.00000000',
     0, 1, '\\x05', 'included', 'nothing', id, merchant_id, 0, 'seen' FROM wallets LIMIT 1 ON CONFLICT DO NOTHING`,
];
const afterItWasSeen = (what: string, error: string, statement: string) =>
  sql(what, { login: 'chain_app', database: 'chain', statements: [...SEEN, statement] }, refusedBy('Postgres', error));

export const DEPOSITS_MINTED = [
  afterItWasSeen(
    'makes a deposit that was seen a larger one',
    'permission denied for table deposits',
    `UPDATE deposits SET units = units * 1000, amount = '5000.00000000'`,
  ),
] as const;

export const DEPOSITS_MOVED = [
  afterItWasSeen(
    "makes a deposit that was seen another wallet's",
    'a deposit keeps its wallet',
    'UPDATE deposits SET wallet_id = gen_random_uuid()',
  ),
  afterItWasSeen(
    "makes an address another wallet's",
    'permission denied for table deposit_addresses',
    'UPDATE deposit_addresses SET wallet_id = gen_random_uuid()',
  ),
  afterItWasSeen(
    "makes a wallet another merchant's",
    'permission denied for table wallets',
    'UPDATE wallets SET merchant_id = gen_random_uuid()',
  ),
  sql(
    "credits a deposit that was seen to an accomplice's wallet, by a decision that he writes in an operator's name",
    {
      ...({ login: 'chain_app', database: 'chain' } as const),
      statements: [
        ...SEEN,
        `INSERT INTO wallets (id, merchant_id, shard, currency) VALUES ('${ACCOMPLICES}', '${ACCOMPLICES}', 0, 'USDT')`,
        `INSERT INTO resolutions (id, deposit_id, resolution, wallet_id, actor, reason)
         SELECT '${ACCOMPLICES}', id, 'credit', '${ACCOMPLICES}', 'trent', 'case 7' FROM deposits LIMIT 1`,
        `UPDATE deposits SET wallet_id = '${ACCOMPLICES}', merchant_id = '${ACCOMPLICES}', shard = 0,
           command_name = command_name || ':${ACCOMPLICES}'
         WHERE id = (SELECT deposit_id FROM resolutions WHERE id = '${ACCOMPLICES}')`,
      ],
    },
    noticedBy(
      'the merchant',
      'when the money does not come; an auditor, by audit solvency --acts, which finds no act of operators that says so',
      'decided by trent, who has not run the program',
    ),
    async (site, forged) => {
      const [decided] = await forged.rows<{ actor: string }>(
        `SELECT actor FROM resolutions JOIN deposits ON deposits.id = deposit_id WHERE deposits.wallet_id = '${ACCOMPLICES}'`,
      );
      const [really] = await site.databases.chain.rows('SELECT FROM resolutions');
      return really ? 'an operator has decided it' : `decided by ${decided?.actor}, who has not run the program`;
    },
  ),
] as const;
