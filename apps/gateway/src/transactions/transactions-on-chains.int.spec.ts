import { randomUUID } from 'node:crypto';
import { getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { ChainDepositView, TransferView } from '@stablecoin/contracts/chain/views';
import { payoutReference, sandboxRailReference } from '@stablecoin/contracts/payout/rail-references';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { HoldPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { listTransactionsByReference } from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { call, held, keyOf, MERCHANT, standIns, useGateway } from '../../testing/gateway-fixture';

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;

useGateway({
  payoutRailErc20: 'evm',
  payoutRailPolygon: 'evm',
  explorerUrlErc20: 'https://explorer.example/tx/{hash}?tab=logs',
  explorerUrlPolygon: null,
});

const live = () => ({ 'x-api-key': keyOf({ mode: 'live' }) });
const transaction = (over: Partial<TransactionView>): TransactionView => ({
  ...held({ merchant_id: MERCHANT, currency: 'USDT' } as HoldPayout),
  ...{ sealed_destination: null, network: 'erc20', ...over },
});
const deposit = (over: Partial<TransactionView> = {}) =>
  transaction({ transaction_type: 'DEPOSIT', transaction_mode: 'CREDIT', crypto_transaction_id: HASH, ...over });

const BY_ID = '/api/customers/transactions/by_txid/ABCDEF1234';

async function lookUp(view: TransactionView, headers: Record<string, string> = live()) {
  standIns.asked.length = 0;
  standIns.on(getTransaction, () => view);
  return (await call('GET', BY_ID, undefined, headers)).body.data ?? {};
}

const askedOf = (operation: { subject: string }) => standIns.requestsTo(operation).length;
const shown = ({
  crypto_transaction_id,
  explorer_url,
  confirmations,
  confirmations_required,
}: Record<string, unknown>) => ({
  ...{ crypto_transaction_id, explorer_url, confirmations, confirmations_required },
});
const NOTHING = { crypto_transaction_id: null, explorer_url: null, confirmations: null, confirmations_required: null };
const LINK = `https://explorer.example/tx/${HASH}?tab=logs`;

beforeEach(() => {
  standIns.on(getDeposit, () => ({ confirmations: 3, confirmations_required: 12 }) as ChainDepositView);
  standIns.on(lookUpTransfer, () => ({ transaction_hash: HASH }) as TransferView);
});

describe('a payout that is PENDING on a chain', () => {
  it('shows its transaction as soon as it is signed, and a link to it', async () => {
    const view = transaction({});
    expect(shown(await lookUp(view))).toEqual({ ...NOTHING, crypto_transaction_id: HASH, explorer_url: LINK });
    expect(standIns.requestsTo(lookUpTransfer)).toEqual([{ reference: payoutReference(view.id) }]);
    standIns.on(listTransactionsByReference, () => [view, transaction({ status: 'COMPLETED' })]);
    const path = `/api/customers/transactions/by_ref_id/${randomUUID()}`;
    const { data } = (await call('GET', path, undefined, live())).body as { data?: unknown };
    expect(data).toMatchObject([{ crypto_transaction_id: HASH }, { crypto_transaction_id: null }]);
  });

  it('is not asked for where it can be on none', async () => {
    const others = [{ network: 'trc20' }, { network: null }, { network: 'bep20' }, { status: 'FAILED' }] as const;
    for (const over of others) expect(shown(await lookUp(transaction(over)))).toEqual(NOTHING);
    expect(shown(await lookUp(transaction({}), {}))).toEqual(NOTHING);
    expect(askedOf(lookUpTransfer)).toBe(0);
  });

  it('is shown without it where the chain does not know it, is away or hangs', async () => {
    for (const code of ['not_found', 'unavailable', 'internal_error'] as const) {
      standIns.on(lookUpTransfer, () => {
        throw new Refusal(code);
      });
      expect(shown(await lookUp(transaction({})))).toEqual(NOTHING);
    }
    standIns.on(lookUpTransfer, () => new Promise<never>(() => undefined));
    const before = performance.now();
    expect(shown(await lookUp(transaction({})))).toEqual(NOTHING);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('is listed as the ledger knows it', async () => {
    standIns.on(listTransactions, ({ page, limit }) => ({ items: [transaction({})], total: 1, page, limit }));
    const { data } = (await call('GET', '/api/transactions', undefined, live())).body as { data?: unknown };
    expect(data).toMatchObject([NOTHING]);
    expect(askedOf(lookUpTransfer)).toBe(0);
  });
});

describe('a deposit on a chain', () => {
  it('shows its confirmations while it is PENDING', async () => {
    const seen = { crypto_transaction_id: HASH, explorer_url: LINK };
    const view = deposit();
    expect(shown(await lookUp(view))).toEqual({ ...seen, confirmations: 3, confirmations_required: 12 });
    expect(standIns.requestsTo(getDeposit)).toEqual([{ merchant_id: MERCHANT, transaction_id: view.transaction_id }]);
    expect(shown(await lookUp(deposit({ status: 'COMPLETED' })))).toEqual({ ...NOTHING, ...seen });
    expect(askedOf(getDeposit)).toBe(0);
  });

  it('shows none where it came another way', async () => {
    expect(shown(await lookUp(deposit({ crypto_transaction_id: 'R-1' })))).toEqual({
      ...NOTHING,
      crypto_transaction_id: 'R-1',
    });
    expect(shown(await lookUp(deposit({ network: 'trc20' })))).toMatchObject({ confirmations: null });
    expect(askedOf(getDeposit)).toBe(0);
    standIns.on(getDeposit, () => {
      throw new Refusal('not_found');
    });
    expect(shown(await lookUp(deposit()))).toMatchObject({ confirmations: null, confirmations_required: null });
  });
});

describe('a link to an explorer', () => {
  it('is to what a chain has: not to what the sandbox calls a payout, and where the operator names one', async () => {
    const ended = { status: 'COMPLETED' } as const;
    const id = randomUUID();
    const invented = sandboxRailReference(payoutReference(id), 'erc20');
    const urlOf = async (over: Partial<TransactionView>) =>
      (await lookUp(transaction({ ...ended, ...over })))['explorer_url'];
    expect(await urlOf({ crypto_transaction_id: OTHER_HASH })).toBe(
      `https://explorer.example/tx/${OTHER_HASH}?tab=logs`,
    );
    expect(await urlOf({ id, crypto_transaction_id: invented })).toBeNull();
    expect(await urlOf({ crypto_transaction_id: OTHER_HASH, network: 'polygon' })).toBeNull();
    expect(await urlOf({ crypto_transaction_id: OTHER_HASH.slice(2), network: 'trc20' })).toBeNull();
    expect(await urlOf({ crypto_transaction_id: 'javascript:alert(1)' })).toBeNull();
  });
});
