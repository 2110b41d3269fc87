/** What the stub answers from: a month of a merchant. */
import type { Schema, Session, Transaction } from '../api/client';

export const MERCHANT_ID = '0190c6f0-0000-7c1e-9d2a-0000000000aa';

export const SESSION: Session = {
  person: { person_id: '0190c6f0-0000-7c1e-9d2a-000000000001', name: 'Ada Obi', email: 'ada@example.com' },
  member_id: '0190c6f0-0000-7c1e-9d2a-000000000011',
  side: 'merchant',
  role: 'admin',
  merchant: { merchant_id: MERCHANT_ID, name: 'Kola Payments', mode: 'test' },
  passkeys: 1,
  stepped_up_until: null,
  signed_in_at: '2026-01-31T08:00:00.000Z',
  signed_in_by: 'passkey',
};

export const CUSTOMER_ID = '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f81';
export const WALLET_ID = '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80';
const HASH = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd';

export const APPROVAL_HASH = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';

const PLAIN: Transaction = {
  ...{ id: '0190c6f0-7f5b-7c1e-9d2a-000000000000', sender_wallet_id: null, receiver_wallet_id: WALLET_ID },
  ...{ transaction_id: 'K7Q2ZP9X4B', asset_code: 'USDC', amount: '250.00000000', status: 'COMPLETED' },
  ...{ reference_id: '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f99', created_at: '2026-01-31T09:30:00.000Z' },
  ...{ updated_at: '2026-01-31T09:34:12.000Z', crypto_transaction_id: HASH, network: 'erc20' },
  ...{ transaction_type: 'DEPOSIT', transaction_mode: 'CREDIT', exchange_rate: null, fee: null, reason: null },
  ...{ withdrawal_recipient_name: null, balance: '1250.00000000', customer_id: null, recipient_currency: null },
  ...{ recipient_country: null, bank_name: null, bank_code: null, bank_account: null, address: null },
  ...{ explorer_url: `https://etherscan.io/tx/${HASH}`, confirmations: null, confirmations_required: null },
  ...{ waiting_for: null, send_after: null, approval_hash: null, approvals_required: null, approvals: null },
  approval_expires_at: null,
};

const PAYOUT: Partial<Transaction> = {
  ...{ transaction_type: 'PAYOUT', transaction_mode: 'DEBIT', asset_code: 'NGN', amount: '1489550.00000000' },
  ...{ sender_wallet_id: WALLET_ID, receiver_wallet_id: null, network: null, crypto_transaction_id: null },
  ...{ explorer_url: null, withdrawal_recipient_name: 'Chidi Okafor', reason: 'Payout to 0123456789 (058)' },
  ...{ bank_name: 'First Bank', bank_code: '058', bank_account: '0123456789', recipient_country: 'Nigeria' },
  ...{ fee: '50.00000000', exchange_rate: '1489.55', customer_id: CUSTOMER_ID, recipient_currency: 'NGN' },
};

export const WAITING: Transaction = {
  ...PLAIN,
  ...PAYOUT,
  ...{ id: '0190c6f0-7f5b-7c1e-9d2a-0000000000ff', transaction_id: 'W4ITINGP4Y', status: 'PENDING' },
  ...{ waiting_for: 'approval', approval_hash: APPROVAL_HASH, approvals_required: 1, approvals: [] },
  approval_expires_at: '2026-02-01T09:30:00.000Z',
};

const KINDS: readonly Partial<Transaction>[] = [
  {},
  PAYOUT,
  {
    ...{ transaction_type: 'INTERNAL TRANSFER', transaction_mode: 'DEBIT', asset_code: 'USDT', amount: '0.00000001' },
    ...{ network: null, crypto_transaction_id: null, explorer_url: null, exchange_rate: '0.000671350000' },
  },
  { ...PAYOUT, status: 'FAILED', amount: '12000.00000000', withdrawal_recipient_name: 'Adaeze Nwosu-Achike & Sons' },
  { status: 'PENDING', confirmations: 3, confirmations_required: 12, amount: '98765432.10000000' },
  { ...PAYOUT, status: 'REVERSED', asset_code: 'EUR', amount: '3200.50000000' },
];

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Another one for each number: the last two letters are the number. */
const shortId = (number: number) =>
  Array.from({ length: 10 }, (_, place) => {
    const digit = [number, Math.floor(number / LETTERS.length)][9 - place] ?? number * 7 + place * (number + 5);
    return LETTERS[digit % LETTERS.length];
  }).join('');

export const TRANSACTIONS: readonly Transaction[] = [
  WAITING,
  PLAIN,
  ...Array.from({ length: 66 }, (_, number): Transaction => ({
    ...PLAIN,
    ...KINDS[number % KINDS.length],
    id: `0190c6f0-7f5b-7c1e-9d2a-${String(number + 1).padStart(12, '0')}`,
    transaction_id: shortId(number),
    created_at: new Date(Date.UTC(2026, 0, 31, 8) - number * 9.7 * 3_600_000).toISOString(),
  })),
];

/** By a bank. */
export const PAID =
  TRANSACTIONS.find(({ transaction_type: type, status }) => type === 'PAYOUT' && status === 'COMPLETED') ?? PLAIN;

const event = (over: Partial<Schema<'ExplainedEvent'>>): Schema<'ExplainedEvent'> => ({
  ...{ position: 1204, group: 1204, movement: 'deposit-recorded', recorded_at: '2026-01-31T09:30:00.000Z' },
  ...{ command_id: '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f00', type: 'TransactionStatusChanged', account_id: WALLET_ID },
  ...{ currency: null, amount: null, from_status: null, to_status: 'PENDING', balance_after: null },
  leaf_hash: APPROVAL_HASH,
  ...over,
});
const CREDITED = { group: 1311, movement: 'deposit-completed', recorded_at: '2026-01-31T09:34:12.000Z' } as const;
const POSTED = { currency: 'USDC', amount: '250.00000000', to_status: null } as const;
const HELD = { group: 1290, movement: 'payout-accepted', currency: 'NGN', to_status: null } as const;

export const EXPLANATIONS: Readonly<Record<string, Schema<'TransactionExplanation'>>> = {
  K7Q2ZP9X4B: explanationOf(PLAIN, [
    event({}),
    event({ ...CREDITED, ...POSTED, position: 1311, type: 'DebitPosted', account_id: 'external:erc20:USDC' }),
    event({ ...CREDITED, ...POSTED, position: 1312, type: 'CreditPosted', balance_after: '1250.00000000' }),
    event({ ...CREDITED, position: 1313, from_status: 'PENDING', to_status: 'COMPLETED' }),
  ]),
  W4ITINGP4Y: explanationOf(WAITING, [
    event({
      ...HELD,
      position: 1290,
      type: 'DebitPosted',
      amount: '1489600.00000000',
      balance_after: '510400.00000000',
    }),
    event({
      ...{ ...HELD, position: 1291, type: 'CreditPosted', amount: '1489600.00000000' },
      account_id: 'payout-clearing:NGN',
    }),
    event({ ...HELD, position: 1292, group: 1292, movement: 'payout-waiting', to_status: 'PENDING' }),
  ]),
  [PAID.transaction_id]: {
    ...explanationOf(PAID, [event({ ...HELD, movement: 'payout-completed', to_status: 'COMPLETED' })]),
    rail_reference: 'BANK-REF-4711',
  },
};

function explanationOf(of: Transaction, events: Schema<'ExplainedEvent'>[]): Schema<'TransactionExplanation'> {
  const { id, transaction_id, reference_id, transaction_type, transaction_mode, asset_code, amount, fee } = of;
  return {
    ...{ id, transaction_id, reference_id, transaction_type, transaction_mode, asset_code, amount, fee },
    ...{ quote_id: null, rail_reference: null, statuses: [], checkpoint_size: 1400, events },
  };
}

export const MEMBERS: readonly Schema<'Member'>[] = [
  {
    ...{ member_id: SESSION.member_id, person_id: SESSION.person.person_id, role: 'admin' },
    ...{ name: 'Ada Obi', email: 'ada@example.com', status: 'active', last_seen_at: '2026-01-31T08:00:00.000Z' },
  },
  {
    ...{ member_id: '0190c6f0-0000-7c1e-9d2a-0000000000b2', person_id: '0190c6f0-0000-7c1e-9d2a-000000000002' },
    ...{ name: 'Bola Adeyemi-Okonkwo', email: 'bola.adeyemi-okonkwo@finance.kola-payments.example', role: 'approver' },
    ...{ status: 'invited', last_seen_at: null },
  },
];

export const SIGNERS: Schema<'TransactionSigners'> = {
  created_by: { kind: 'person', id: SESSION.member_id, name: SESSION.person.name, is_you: true },
  approvals: [],
};

export const PASSKEYS: readonly Schema<'Passkey'>[] = [
  {
    ...{ passkey_id: '0190c6f0-0000-7c1e-9d2a-0000000000c1', name: 'Office laptop' },
    ...{ created_at: '2026-01-03T08:00:00.000Z', last_used_at: '2026-01-31T08:00:00.000Z' },
  },
];

const made = { created_at: '2026-01-30T08:00:00.000Z', updated_at: '2026-01-30T08:00:00.000Z' };
export const WEBHOOK_ID = '0190c6f0-0000-7c1e-9d2a-0000000000d1';
export const WEBHOOKS: readonly Schema<'Webhook'>[] = [
  {
    ...{ id: WEBHOOK_ID, url: 'https://hooks.kola-payments.example/stablecoin/events?token=5f1c9b', status: 'enabled' },
    ...{ description: 'Payouts', events: ['payout.completed', 'payout.failed', 'payout.reversed'], ...made },
  },
  {
    ...{ id: '0190c6f0-0000-7c1e-9d2a-0000000000d2', url: 'https://old.kola-payments.example/', status: 'disabled' },
    ...{ description: null, events: null, ...made },
  },
];

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const EVENT: Schema<'EventWithDeliveries'> = {
  ...{ id: '0190c6f0-0000-7c1e-9d2a-0000000000e1', type: 'webhook.test', sequence: 1 },
  ...{ created_at: '2026-01-31T09:30:00.000Z', data: { webhook_id: WEBHOOK_ID } },
  deliveries: [
    {
      ...{ webhook_id: WEBHOOK_ID, url: 'https://hooks.kola-payments.example/stablecoin/events?token=5f1c9b' },
      ...{ status: 'pending', attempts: 3, response_status: 503, error: 'refused_by_receiver' },
      ...{ last_attempt_at: '2026-01-31T09:31:00.000Z', next_attempt_at: '2026-01-31T09:41:00.000Z' },
    },
  ],
};

const ADDRESS = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

const ADDRESSES: Schema<'DepositAddress'>[] = (['erc20', 'polygon'] as const).map((network, place) => ({
  ...{ id: `0190c6f0-7f5b-7c1e-9d2a-00000000ad0${place}`, address: ADDRESS, network },
  created_at: '2026-01-01T08:00:00.000Z',
}));
const wallet = (over: Partial<Schema<'Wallet'>>): Schema<'Wallet'> => ({
  ...{
    id: WALLET_ID,
    asset_type: 'STABLECOIN',
    currency: 'USDC',
    balance: '1250.00000000',
    description: 'Collections',
  },
  ...{ status: 'active', created_at: '2026-01-01T08:00:00.000Z', updated_at: '2026-01-01T08:00:00.000Z' },
  ...{ customer_id: null, addresses: ADDRESSES },
  ...over,
});

export const WALLETS: readonly Schema<'Wallet'>[] = [
  wallet({}),
  ...Array.from({ length: 52 }, (_, number) =>
    wallet({
      ...{ id: `0190c6f0-7f5b-7c1e-9d2b-${String(number).padStart(12, '0')}`, asset_type: 'FIAT', currency: 'NGN' },
      ...{ balance: `${number}4250.50000000`, description: `Branch ${number + 1}`, addresses: [] },
    }),
  ),
];

/** From the newest. */
const PAST_BALANCES: readonly Omit<Schema<'PastBalance'>, 'wallet_id' | 'currency'>[] = [
  { balance: '1250.00000000', position: 1312, recorded_at: '2026-01-31T09:34:12.000Z' },
  { balance: '1000.00000000', position: 900, recorded_at: '2026-01-12T10:00:00.000Z' },
  { balance: '1500.00000000', position: 400, recorded_at: '2026-01-02T10:00:00.000Z' },
];

/** @param asOf a moment, or undefined for now */
export function balanceAsOf(asOf: string | undefined): Schema<'PastBalance'> {
  const held = PAST_BALANCES.find(({ recorded_at }) => asOf === undefined || (recorded_at ?? '') <= asOf);
  const nothing = { balance: '0.00000000', position: null, recorded_at: null };
  return { wallet_id: WALLET_ID, currency: 'USDC', ...(held ?? nothing) };
}

const DAY_MS = 86_400_000;
/** The last so many days, as the questions of charts name them. */
const lastDays = (count: number, end: string) =>
  Array.from({ length: count }, (_, number) =>
    new Date(Date.parse(end) - (count - 1 - number) * DAY_MS).toISOString().slice(0, 10),
  );

export function balancesBetween(start: string, end: string): Schema<'DailyBalances'> {
  const count = (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;
  const days = lastDays(count, end).map((day, number) => {
    const balance = number < 4 ? '0.00000000' : `${1_000 + ((number * 7_919) % 900)}.50000000`;
    return { day, balance };
  });
  return { wallet_id: WALLET_ID, currency: 'USDC', days };
}
