/** A stack on which every screen of the console has something to show, and personal data that not every role may see. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { PNG } from '@stablecoin/testing/person';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { Client as Database } from 'pg';
import { createWalletClient, http, parseAbi, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { auditWith } from './audit-command';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { createMerchant, operatorOf, setPolicy } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { createIndividual, openWallet } from './people';
import type { Transaction } from './resources';

/** Written nowhere but in what is personal; each in a field of its own. */
export const PLANTED = {
  first_name: 'Plantedname',
  last_name: 'Plantedsurname',
  email: `planted-${randomUUID()}@example.com`,
  street: '77 Planted Road',
  recipient: 'Planted Recipient',
  account: '9876501234',
  description: 'For Planted of Description',
  reference: 'Planted reference of a sender',
  address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
};
export type Personal = keyof typeof PLANTED;

const TRANSFER = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
/** Held back by the policy: above 100 another person has to approve. */
const POLICY = {
  limits: ['USD', 'USDT'].map((currency) => ({ currency, per: 'merchant', within: 'day', amount: '100000' })),
  new_destination_wait_seconds: 0,
  approval: {
    ...{ above: [{ currency: 'USD', amount: '100' }], new_destination: false, new_rail: false },
    ...{ approvers: 1, expires_after_seconds: 3_600 },
  },
};
const BANK = { account_number: PLANTED.account, bank_code: '011', recipient_name: PLANTED.recipient };

export class ConsoleContent {
  merchantId = '';
  customerId = '';
  /** Of the customer; and the merchant's own, from which people pay. */
  walletId = '';
  ownWalletId = '';
  /** One that arrived, one that waits for an approval, and one to an address. */
  payout!: Transaction;
  waiting!: Transaction;
  toAddress!: Transaction;
  /** With a reference of its sender. */
  deposit!: Transaction;
  /** Of the merchant; the others may have no events. */
  shard = '';
  private merchant!: Client;

  private constructor(
    readonly own: OwnStack,
    private readonly receiver: WebhookReceiver,
  ) {}

  static async start(): Promise<ConsoleContent> {
    const settings = { BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300', LIABILITIES_INTERVAL_MS: '500' };
    const chains = { LOCAL_CHAINS: 'true' };
    const [own, receiver] = await Promise.all([startOwnStack({ ...settings, ...chains }), WebhookReceiver.start()]);
    const content = new ConsoleContent(own, receiver);
    try {
      await content.fill();
      return content;
    } catch (error) {
      await content.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await this.own.stop();
  }

  /** Of the ledger, as the merchant reads it by its API key. */
  async publicKey(): Promise<string> {
    return (await this.checkpoint()).public_key;
  }

  private async checkpoint(): Promise<{ public_key: string; origin: string }> {
    const [checkpoint] = await dataOf(
      this.merchant.get<{ public_key: string; origin: string }[]>('/audit/checkpoints'),
    );
    if (checkpoint === undefined) throw new Error('nothing is signed yet');
    return checkpoint;
  }

  private payToBank(amount: string): Promise<Transaction> {
    return dataOf(this.merchant.post<Transaction>('/payouts/banks', { currency: 'USD', amount, ...BANK }));
  }

  private async fill(): Promise<void> {
    const stack = this.own.description;
    const created = await createMerchant([], stack, 'Marina Traders');
    this.merchantId = created.merchant_id;
    const merchant = (this.merchant = new Client(stack.base_url, created.api_key));
    await dataOf(merchant.post('/webhooks', { url: this.receiver.url('/') }));
    await this.openWallets();
    const customer_id = this.customerId;
    this.payout = await dataOf(
      merchant.post<Transaction>('/payouts/banks', { customer_id, currency: 'USD', amount: '20', ...BANK }),
    );
    await this.overChains();
    await setPolicy(this.merchantId, POLICY, stack);
    await Promise.all([this.settled(), this.reconciled(), this.parked()]);
    this.waiting = await this.payToBank('700');
    this.shard = (await this.checkpoint()).origin.split('/').at(-1) ?? '';
    const named = ['--merchant', this.merchantId, '--customer', this.customerId];
    const review = ['--status', 'under_review', '--reason', 'case 1'];
    await operatorOf(stack).run(['customers', 'set-kyc-status', ...named, ...review]);
  }

  private async openWallets(): Promise<void> {
    const merchant = this.merchant;
    const { first_name, last_name, email, street, description, reference } = PLANTED;
    const registered_address = { street1: street, city: 'Lagos', state: 'Lagos', country: 'NG' };
    const documents = [{ doc_type: 'valid_ids', sub_type: 'front', doc_image: PNG, doc_country: 'NG' }];
    const person = { first_name, last_name, email, registered_address, documents };
    this.customerId = (await createIndividual(merchant, person)).id;
    const wallet = { customer_id: this.customerId, currency: 'USD', description } as const;
    this.walletId = (await openWallet(merchant, wallet)).id;
    this.deposit = await dataOf(
      merchant.post<Transaction>('/sandbox/deposits', { wallet_id: this.walletId, amount: '5000', reference }),
    );
    this.ownWalletId = (await openWallet(merchant, { currency: 'USD' }, '3000')).id;
    await openWallet(merchant, { currency: 'NGN' }, '10');
  }

  /** A deposit, one of another token than the wallet's, and a payout from a hot wallet that is empty. */
  private async overChains(): Promise<void> {
    const merchant = this.merchant;
    const opened = await openWallet(merchant, { currency: 'USDT', network: 'erc20' });
    const chain = this.own.description.chains?.find(({ network }) => network === 'erc20');
    const [to] = opened.addresses;
    if (!chain || !to) throw new Error('the stack has no Ethereum');
    const account = privateKeyToAccount(chain.faucet_private_key as `0x${string}`);
    const client = createWalletClient({ account, transport: http(chain.rpc_url) });
    for (const { address, decimals } of [chain.tokens.USDT, chain.tokens.USDC]) {
      const args = [to.address as `0x${string}`, parseUnits('75', decimals)] as const;
      const call = { address: address as `0x${string}`, abi: TRANSFER, functionName: 'transfer', args } as const;
      await client.writeContract({ chain: null, ...call });
    }
    await eventually(
      'the deposit was credited',
      async () => {
        return Number((await dataOf(merchant.get<{ balance: string }>(`/wallets/${opened.id}`))).balance) === 75;
      },
      { timeoutMs: 60_000 },
    );
    const { address, recipient: recipient_name } = PLANTED;
    const destination = { network: 'erc20', address, recipient_name };
    this.toAddress = await dataOf(
      merchant.post<Transaction>('/payouts/wallets', { currency: 'USDT', amount: '12', ...destination }),
    );
  }

  private async settled(): Promise<void> {
    const path = `/customers/transactions/by_txid/${this.payout.transaction_id}`;
    await eventually('the payout has arrived', async () => {
      return (await dataOf(this.merchant.get<Transaction>(path))).status === 'COMPLETED';
    });
  }

  /** What the auditor found, kept for the console. */
  private async reconciled(): Promise<void> {
    const stack = this.own.description;
    const session = await ConsoleSession.of('operations', undefined, stack);
    const hot = await eventually(
      'the treasury has read its networks',
      async () => {
        const { text } = await session.get('/treasury');
        const { data } = JSON.parse(text) as {
          data: { networks: { treasury: { hot_address: string; hot_coins: string | null } | null }[] };
        };
        const read =
          data.networks.length === 3 &&
          data.networks.every(({ treasury }) => treasury?.hot_coins !== null && treasury !== null);
        return read ? data.networks[0]?.treasury?.hot_address : undefined;
      },
      { timeoutMs: 60_000 },
    );
    const nodes = (stack.chains ?? []).map(({ network, rpc_url }) => [`CHAIN_RPC_${network.toUpperCase()}`, rpc_url]);
    const settings = { ...(Object.fromEntries(nodes) as NodeJS.ProcessEnv), SOLVENCY_HOT_WALLETS: hot };
    const { stdout } = await auditWith(settings, stack, 'solvency', '--json');
    const file = join(stack.data_dir, 'solvency.json');
    writeFileSync(file, stdout);
    await operatorOf(stack).run(['solvency', 'keep', file, '--json']);
  }

  private async parked(): Promise<void> {
    const database = new Database({ connectionString: this.own.description.owner_databases.payout });
    await database.connect();
    await database.query(
      `INSERT INTO parked_facts (consumer, shard, position, movement, concerns, sealed_fact, reason, attempts)
       VALUES ('payout', 0, 999999, 'payout-accepted', 'a-payout', '', 'the bank code is not known', 5)`,
    );
    await database.end();
  }
}
