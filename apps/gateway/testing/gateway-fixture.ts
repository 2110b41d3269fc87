import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { completeDocument } from '@stablecoin/contracts/customer/complete-document';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { findOwner, Owner } from '@stablecoin/contracts/customer/find-owner';
import { ResolvedApiKey, resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { addWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { deletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { simulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { createQuote } from '@stablecoin/contracts/swap/create-quote';
import { dryRunExecuteSwap } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { getPrice } from '@stablecoin/contracts/swap/get-price';
import { refreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';
import { dryRunHoldPayout } from '@stablecoin/contracts/wallet/dry-run-hold-payout';
import { findDepositAddress } from '@stablecoin/contracts/wallet/find-deposit-address';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { listTransactionsByReference } from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { TransactionView, WalletView } from '@stablecoin/contracts/wallet/views';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { OPENED_AT_ONCE_MAX, openSealed } from '@stablecoin/contracts/customer/open-sealed';
import { createDataKey } from '@stablecoin/personal-data/data-key';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import type { GatewayConfiguration } from '../src/gateway.configuration';
import { RunningGateway, startGateway } from './gateway-process';
import { startOwnNats, OwnNats } from '@stablecoin/testing/nats-server';
import { StandIns } from './stand-ins';

/** Shared by the gateway's integration specs: one merchant, its customers, and the services behind the bus. */
const SHARD = 3;
export const MERCHANT = '11111111-1111-4111-8111-111111111111';
export const API_KEY_ID = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
export const OTHER_CUSTOMER = '99999999-9999-4999-8999-999999999999';
export const CLOSED = '22222222-2222-4222-8222-222222222222';
export const UNAPPROVED = '33333333-3333-4333-8333-333333333333';
export const WALLET = '44444444-4444-4444-8444-444444444444';
export const AT = '2026-01-02T03:04:05.678Z';

const OPERATIONS = [
  addWalletMethod,
  closeCustomer,
  createBusinessCustomer,
  createIndividualCustomer,
  createQuote,
  deletePayoutMethod,
  dryRunExecuteSwap,
  dryRunHoldPayout,
  executeSwap,
  findDepositAddress,
  findOwner,
  getDeposit,
  getPrice,
  getTransaction,
  getWallet,
  holdPayout,
  listTransactions,
  listTransactionsByReference,
  listWallets,
  lookUpTransfer,
  openSealed,
  openWallet,
  refreshQuote,
  resolveApiKey,
  simulatePayoutOutcome,
  uploadDocumentPart,
  completeDocument,
];

export const busKey = randomBytes(32);
export const inputHashKey = randomBytes(32);
export const wallet: WalletView = {
  id: WALLET,
  merchant_id: MERCHANT,
  customer_id: null,
  asset_type: 'FIAT',
  currency: 'NGN',
  balance: '0.00000000',
  description: null,
  status: 'active',
  created_at: AT,
  updated_at: AT,
  addresses: [],
};

export const quoted: SwapQuoteView = {
  id: WALLET,
  customer_id: null,
  from_currency: 'USDT',
  to_currency: 'NGN',
  quoted_price: '1500',
  quoted_currency: 'NGN',
  from_amount: '1.00000000',
  to_amount: '1500.00000000',
  confirmed: false,
  expires_at: AT,
  created_at: AT,
  updated_at: AT,
};

export let nats: OwnNats;
export let standIns: StandIns;
export let gateway: RunningGateway;
const keys = new Map<string, Partial<ResolvedApiKey>>([['good', { api_key_id: API_KEY_ID }]]);

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown> & {
    code?: string;
    data?: Record<string, unknown>;
    errors?: { field: string; code: string }[];
  };
}

export async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(gateway.origin + path, {
    method,
    headers: { 'x-api-key': 'good', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Answer['body']) : {},
  };
}

export const outcome = ({ status, body }: Answer) => [status, body.code];
export const problems = ({ body }: Answer) => (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);

export function keyOf(changes: Partial<ResolvedApiKey>): string {
  const key = randomUUID();
  keys.set(key, { api_key_id: randomUUID(), ...changes });
  return key;
}

const seals = new Map<string, OwnerSeal>();
/** The customer service's seal of an owner, which no gateway has. */
export function sealOf(ownerId: string): OwnerSeal {
  const seal = seals.get(ownerId) ?? new OwnerSeal(ownerId, createDataKey());
  seals.set(ownerId, seal);
  return seal;
}

export const ownerOf = (owner_id: string, customer_id: string | null, changes: Partial<Owner> = {}): Owner => ({
  owner_id,
  customer_id,
  status: 'active',
  kyc_status: 'approved',
  wrapped_data_key: 'no gateway opens it',
  sealing_key: sealOf(owner_id).sealingKey().publicKey,
  ...(customer_id === null && { hash_key: sealOf(owner_id).hashKey().toString('base64') }),
  profile: {
    sn: 'AAAAAAAAAA',
    email: 'a@b.co',
    reference: null,
    first_name: 'A',
    last_name: 'B',
    display_name: null,
    created_at: AT,
    updated_at: AT,
  },
  ...changes,
});
export const owners = new Map<string, Owner>([
  [MERCHANT, ownerOf(MERCHANT, null)],
  [CLOSED, ownerOf(CLOSED, CLOSED, { status: 'closed' })],
  [UNAPPROVED, ownerOf(UNAPPROVED, UNAPPROVED, { kyc_status: 'under_review' })],
]);

export function held(request: Plain<HoldPayout>): TransactionView {
  return {
    id: randomUUID(),
    transaction_id: 'ABCDEF1234',
    reference_id: randomUUID(),
    merchant_id: request.merchant_id,
    customer_id: request.customer_id ?? null,
    sender_wallet_id: WALLET,
    receiver_wallet_id: null,
    transaction_type: 'PAYOUT',
    transaction_mode: 'DEBIT',
    asset_code: request.currency,
    amount: '10.00000000',
    fee: null,
    status: 'PENDING',
    balance: '90.00000000',
    exchange_rate: request.exchange_rate,
    amount_fiat: '15000.00000000',
    network: request.network ?? null,
    crypto_transaction_id: null,
    fiat_reference_id: null,
    recipient_currency: request.recipient_currency,
    recipient_country: request.recipient_country ?? null,
    bank_name: request.bank_name ?? null,
    bank_code: request.bank_code ?? null,
    reason: null,
    sealed_destination: request.sealed_destination,
    created_at: AT,
    updated_at: AT,
  };
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

/** Runs a gateway for this spec, with stand-ins that answer as below until a test changes them. */
export function useGateway(settings: Partial<GatewayConfiguration> = {}): void {
  beforeAll(async () => {
    nats = await startOwnNats();
    standIns = await StandIns.start(nats.url, busKey, SHARD, OPERATIONS);
    gateway = await startGateway(nats.url, {
      ...{ busKey, inputHashKey, rateLimitPerSecond: 50, rateLimitBurst: 1_000 },
      ...settings,
    });
  });

  afterAll(async () => {
    const started: ({ stop(): Promise<unknown> } | undefined)[] = [gateway, standIns, nats];
    for (const part of started) await part?.stop();
  });

  beforeEach(() => {
    standIns.asked.length = 0;
    standIns.on(resolveApiKey, ({ key_hash }) => {
      const found = [...keys].find(([key]) => hashOf(key) === key_hash);
      if (!found) throw new Refusal('invalid_api_key');
      return {
        api_key_id: API_KEY_ID,
        merchant_id: MERCHANT,
        mode: 'test',
        scopes: ['read', 'write', 'payout'],
        shard: SHARD,
        payout_fee_schedule: null,
        ...found[1],
      };
    });
    standIns.on(findOwner, ({ merchant_id, customer_id }) => {
      const owner = owners.get(customer_id ?? merchant_id);
      if (!owner) throw new Refusal('not_found');
      return owner;
    });
    standIns.on(openSealed, ({ merchant_id, values }) => {
      if (values.length > OPENED_AT_ONCE_MAX) throw new Error('too many at once');
      return values.map(({ customer_id, field, sealed }) =>
        owners.has(customer_id ?? merchant_id) ? sealOf(customer_id ?? merchant_id).open(field, sealed) : null,
      );
    });
    standIns.on(findDepositAddress, () => ({ is_ours: false }));
    standIns.on(getWallet, () => wallet);
    standIns.on(openWallet, ({ currency }) => ({ result: { ...wallet, currency }, replayed: false }));
    standIns.on(getPrice, () => ({ price: '1500', valid_until: new Date(Date.now() + 60_000).toISOString() }));
    standIns.on(holdPayout, (request) => ({ result: held(request), replayed: false }));
  });
}
