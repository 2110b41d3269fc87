// A live merchant's money, with nothing of the sandbox: tokens come in over a chain and are credited when they are final, a
// payout leaves for an address outside, and an operator is shown both. Later, when all is at rest, the auditor holds what the
// chain has against what the ledger owes.

import assert from 'node:assert/strict';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { Tell } from '@stablecoin/command-line/terminal';
import type { NetworkTreasury } from '@stablecoin/contracts/chain/get-treasury';
import type { TransferView } from '@stablecoin/contracts/chain/views';
import type { Page } from '@stablecoin/contracts/wire/fields/paging';
import type { Address } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { dataOf } from '@stablecoin/testing/merchant-client';
import { individualWithDocument } from '@stablecoin/testing/person';
import { parseUnits } from 'viem';
import type { Variables } from '../compose/interpolation';
import type { Deployment } from '../running/deployment';
import { newMerchant, type NewMerchant } from './merchant';
import { shardOf } from './second-ledger';

/** Its tokens have 18 decimals, where the ledger has 6 of these: what is finer stays ours, and the auditor has to explain it. */
export const NETWORK = 'bep20';
const CURRENCY = 'USDC';
export const BLOCK_TIME_MS = 250;
const SENT = '12.34567891';
const CREDITED = '12.34567800';
const PAYOUT = '2.000001';
const LEFT = '10.34567700';
/** Of the journey before, whose money the sandbox gave out: no node has it. */
const SANDBOX_NETWORK = 'trc20';
/** Eight blocks until a transfer is final, and a look of each service in between. */
const FINAL_WITHIN = { timeoutMs: 60_000, pollMs: 100 };
/** The ledger states what it owes every few seconds, not every hour. */
const STATED_WITHIN = { timeoutMs: 60_000, pollMs: 1_000 };

/** What stands in the `.env` of an operator whose live merchants go by chains. */
export const CHAIN_VARIABLES: Variables = {
  PAYOUT_RAIL_BEP20: 'evm',
  // There is no source of rates here; a payout has its worth stated in dollars.
  STATIC_RATES_FOR_LIVE: 'true',
  SIGNER_PAYOUT_CAPS: `${NETWORK}:USDT=1000/10000, ${NETWORK}:${CURRENCY}=1000/10000`,
  SIGNER_GAS_CAPS: `${NETWORK}=0.005/0.5`,
  SIGNER_FEE_CAPS: `${NETWORK}=0.02/1`,
  SIGNER_FEE_PER_GAS_CAPS: `${NETWORK}=100`,
  LIABILITIES_INTERVAL_MS: '5000',
};

interface Identified {
  id: string;
}
interface Wallet extends Identified {
  addresses: { address: Address }[];
}
interface Transaction {
  transaction_id: string;
  status: string;
  crypto_transaction_id: string | null;
}
/** On another shard than that one. */
async function liveMerchant(deployment: Deployment, notOn: number): Promise<NewMerchant> {
  for (;;) {
    const merchant = await newMerchant(deployment, 'Kano Grain', '--live');
    if ((await shardOf(deployment, merchant.id)) !== notOn) return merchant;
  }
}

/** @returns the hot wallet, as the chain service names it to operators */
export async function depositAndPayOut(
  deployment: Deployment,
  { notOn }: { notOn: number },
  tell: Tell,
): Promise<{ hotWallet: Address }> {
  const { chain } = deployment;
  const merchant = await liveMerchant(deployment, notOn);
  const { client } = merchant;
  await loadList(deployment);
  const customer = await dataOf(client.post<Identified>('/individual-customers', individualWithDocument()));
  const wallet = await dataOf(
    client.post<Wallet>('/wallets', { customer_id: customer.id, currency: CURRENCY, network: NETWORK }),
  );
  const [{ address } = { address: undefined }] = wallet.addresses;
  assert.ok(address, 'the wallet has no address');
  const balance = async () => (await dataOf(client.get<{ balance: string }>(`/wallets/${wallet.id}`))).balance;

  const { decimals } = chain.token(CURRENCY);
  const sentAt = Date.now();
  await chain.sendTokens(CURRENCY, address, parseUnits(SENT, decimals));
  await eventually('the deposit is credited', async () => (await balance()) === CREDITED, FINAL_WITHIN);
  tell(`deposit credited after ${seconds(Date.now() - sentAt)}`);

  await approve(deployment, merchant.id, customer.id);
  await setPolicy(deployment, merchant.id);
  const payee = (await chain.account(0n)).address;
  const body = { customer_id: customer.id, currency: CURRENCY, amount: PAYOUT, network: NETWORK, address: payee };
  // The gateway may know the customer's former state for a second.
  const accepted = await eventually('the payout is accepted', () =>
    dataOf(client.post<Transaction>('/payouts/wallets', body)),
  );
  const orderedAt = Date.now();
  const paid = await eventually(
    'the payout is COMPLETED',
    async () => {
      const path = `/customers/transactions/by_txid/${accepted.transaction_id}`;
      const found = await dataOf(client.get<Transaction>(path));
      return found.status === 'COMPLETED' ? found : undefined;
    },
    FINAL_WITHIN,
  );
  tell(`payout final after ${seconds(Date.now() - orderedAt)}`);
  const receipt = await chain.receiptOf(paid.crypto_transaction_id as Address);
  assert.equal(receipt?.status, '0x1', 'the payout is not on the chain');
  assert.equal(await chain.unitsOf(CURRENCY, payee), parseUnits(PAYOUT, decimals), 'the payee has another amount');
  assert.equal(await balance(), LEFT);
  return { hotWallet: await shownToOperators(deployment) };
}

async function approve(deployment: Deployment, merchant: string, customer: string): Promise<void> {
  const whose = ['--merchant', merchant, '--customer', customer];
  await deployment.command('operator', 'set-kyc-status', ...whose, '--status', 'approved', '--reason', 'case 7');
}

/** Without one nothing of a live merchant is screened, and so nothing moves. */
async function loadList(deployment: Deployment): Promise<void> {
  const file = deployment.operatorsFile('listed.txt', '0x098B716B8Aaf21512996dC57EB0615e2383E2f96\n');
  await deployment.command('operator', 'screening', 'load', file, '--name', 'own', '--reason', 'case 6');
}

/** Without one a live merchant pays nothing out. */
async function setPolicy(deployment: Deployment, merchant: string): Promise<void> {
  const limits = [{ currency: CURRENCY, per: 'merchant', within: 'day', amount: '100' }];
  const file = deployment.operatorsFile('policy.json', JSON.stringify({ limits, new_destination_wait_seconds: 0 }));
  await deployment.command('operator', 'policies', 'set', '--merchant', merchant, '--file', file, '--reason', 'case 8');
}

async function shownToOperators(deployment: Deployment): Promise<Address> {
  const chain = async <Result>(...args: string[]) =>
    JSON.parse(await deployment.command('chain-operator', ...args, '--json')) as Result;
  const { items } = await chain<Page<TransferView>>('transfers');
  assert.deepEqual(
    items.map(({ kind, state }) => [kind, state]),
    [['payout', 'completed']],
  );
  const { networks } = await chain<{ networks: NetworkTreasury[] }>('treasury');
  const [{ network, hot_address } = { network: 'none', hot_address: undefined }] = networks;
  assert.ok(network === NETWORK && hot_address, `the treasury shows ${network}, without a hot wallet`);
  return hot_address as Address;
}

/** To the last unit, also of what the sandbox gave out: the hot wallet was given more than that. */
export async function requireSolvency(deployment: Deployment, hotWallet: Address, tell: Tell): Promise<void> {
  const verdict = await eventually(
    'the auditor finds all of it covered and explained',
    async () => {
      const { code, output, errors } = await deployment
        .container('auditor')
        .run('solvency', '--without', SANDBOX_NETWORK, '--hot', hotWallet);
      if (code !== 0) throw new OperatorError(`${output}\n${errors}`.trim());
      return output.trim().split('\n').at(-1);
    },
    STATED_WITHIN,
  );
  tell(verdict);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
