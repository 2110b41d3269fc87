/** What a service that was taken over may say, and what is not so: the ledger can't know, and someone else can. */
import { depositCommandName } from '@stablecoin/command-proofs/deposit-name';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { dataOf, MerchantClient, successOf } from '@stablecoin/testing/merchant-client';
import type { CreatedMerchant } from '@stablecoin/testing/operator-command';
import { noticedBy } from '../judging/expectation';
import { does } from './lines';
import { forgedDeposit, forgedHold } from './stated';

const INPUT_HASH = '0'.repeat(64);

/** It is said that the money is gone from the chain. */
export const reversesItsOwn = does(
  'reverses a deposit that it has recorded itself, and that is on its chain',
  'running',
  noticedBy(
    'the merchant',
    'at once, by the event deposit.reversed; an auditor, by audit solvency, which counts what stays on the chain as not credited',
    'REVERSED',
  ),
  async ({ bus, people: { ada } }) => {
    const { body, evidence } = forgedDeposit(ada, 'chain');
    const asking = { user: 'chain', shard: ada.shard } as const;
    const { result } = await bus.call(recordDeposit, body, { ...asking, evidence });
    const { command_id } = derivedCommand(depositCommandName('reverse', evidence.deposit_name ?? ''), {});
    const about = { merchant_id: ada.merchantId, id: result.id, command_id };
    await bus.call(
      reverseDeposit,
      { ...about, input_hash: INPUT_HASH },
      { ...asking, evidence: { type: 'deposit-end', rail: 'chain', to: 'REVERSED', ...about } },
    );
    const path = `/customers/transactions/by_txid/${result.transaction_id}`;
    const { status } = await dataOf(ada.client.get<{ status: string }>(path));
    return { became: 'noticed', shown: status };
  },
);

/** A merchant's fee is in no log: the gateway has it of the customer service, and says it with each payout. */
export const asksNoFee = does(
  'pays out for an accomplice without the fee that was agreed',
  'running',
  noticedBy(
    'an operator',
    'at a look at the fees of that merchant, which are less than its payouts owe; the log names the gateway',
    'fee null',
  ),
  async ({ bus, operator, databases, people: { ada } }) => {
    const created = await operator.run(['merchants', 'create', '--name', 'an accomplice', '--payout-fee-flat', '1']);
    const { merchant_id: merchantId, api_key: apiKey } = JSON.parse(created) as CreatedMerchant;
    const client = new MerchantClient({ baseUrl: ada.client.baseUrl, apiKey, drawsIdempotencyKeys: true });
    const { id } = await dataOf(client.post<{ id: string }>('/wallets', { currency: 'USDT', network: 'trc20' }));
    await successOf(client.post('/sandbox/deposits', { wallet_id: id, amount: '10' }));
    const [row] = await databases.customer.rows<{ shard: number }>(
      `SELECT shard FROM merchants WHERE id = '${merchantId}'`,
    );
    const body = { ...forgedHold({ merchantId, customerId: '' }), customer_id: null };
    const asking = { user: 'gateway', shard: row?.shard ?? 0, onBehalfOf: { merchantId, mode: 'test' } } as const;
    const { result } = await bus.call(holdPayout, body, asking);
    return { became: 'noticed', shown: `a payout of ${result.amount} with fee ${String(result.fee)}` };
  },
);
