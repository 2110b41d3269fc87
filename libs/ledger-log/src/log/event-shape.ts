/**
 * Whether a stored text is an event that this version knows, with every field that folding and projecting rely on. This
 * finds forged texts whose hashes were all computed anew.
 */
import { isCanonicalText } from '@stablecoin/event-chain/canonical-text';
import { LedgerEvent, Movement, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { StoredEvent, upcast } from '@stablecoin/ledger-domain/upcast';
import { isCurrency, NETWORKS } from '@stablecoin/money/currency';

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

/** The fields of an object, prepared once, because every event of a log is checked against them. */
interface Shape {
  readonly fields: readonly (readonly [name: string, check: Check])[];
  /** Every field that may be there, including those checked elsewhere. */
  readonly names: ReadonlySet<string>;
}

const shape = (fields: Fields, ...others: readonly string[]): Shape => ({
  fields: Object.entries(fields),
  names: new Set([...Object.keys(fields), ...others]),
});

const text: Check = (value) => typeof value === 'string';
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** `external:chain` is what versions before kept for all networks. */
const OUTSIDE = ['bank', 'chain', ...NETWORKS].join('|');
const houseAccount = matching(new RegExp(`^(payout-clearing|external:(${OUTSIDE})|liquidity|transfers|fees):[A-Z]+$`));
const account: Check = (value) => uuid(value) || houseAccount(value);
const currency: Check = (value) => typeof value === 'string' && isCurrency(value);
const network = oneOf(...NETWORKS);
const amount = matching(/^(0|[1-9]\d{0,29})\.\d{8}$/);
const balance = matching(/^-?(0|[1-9]\d{0,29})\.\d{8}$/);
const count: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const index: Check = (value) => count(value) && (value as number) < 2 ** 31;
const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const time: Check = (value) => timestamp(value) && Date.parse(value as string) >= 0;
const boolean: Check = (value) => typeof value === 'boolean';
const status = oneOf('PENDING', 'COMPLETED', 'FAILED', 'REVERSED');

const MOVEMENTS: Record<Movement, true> = {
  'wallet-opened': true,
  'deposit-address-added': true,
  'customer-closed': true,
  'deposit-recorded': true,
  'deposit-completed': true,
  'deposit-failed': true,
  'deposit-reversed': true,
  'swap-accepted': true,
  'swap-settled': true,
  'payout-accepted': true,
  'payout-completed': true,
  'payout-failed': true,
  'payout-reversed': true,
  'payout-waiting': true,
  'payout-approved': true,
  'payout-released': true,
  'policy-changed': true,
  'transfer-sent': true,
  'transfer-received': true,
};

const REQUESTED_BY = shape({ service: text, evidence: optional(text), signature: optional(text) });
const ASKED_BY = shape({
  service: text,
  mode: optional(oneOf('live', 'test')),
  evidence: optional(text),
  signature: optional(text),
  requested_by: (value) => value === undefined || faultyField(value, REQUESTED_BY) === undefined,
});

const RECORDED = shape(
  {
    shard: count,
    position: count,
    group: count,
    movement: oneOf(...Object.keys(MOVEMENTS)),
    recorded_at: time,
    command_id: uuid,
    merchant_id: uuid,
    customer_id: nullable(uuid),
    asked_by: (value) => value === undefined || faultyField(value, ASKED_BY) === undefined,
  },
  'event',
);

const OPENED = shape({
  id: uuid,
  transaction_id: matching(/^[A-Z0-9]{10}$/),
  reference_id: uuid,
  wallet_id: uuid,
  sender_wallet_id: optional(uuid),
  receiver_wallet_id: optional(uuid),
  transaction_type: oneOf('DEPOSIT', 'PAYOUT', 'INTERNAL TRANSFER'),
  transaction_mode: oneOf('CREDIT', 'DEBIT'),
  currency,
  amount,
  fee: optional(amount),
  exchange_rate: optional(text),
  amount_fiat: optional(amount),
  network: optional(network),
  crypto_transaction_id: optional(text),
  recipient_currency: optional(currency),
  recipient_country: optional(text),
  bank_name: optional(text),
  bank_code: optional(text),
  reason: optional(text),
  sealed_destination: optional(text),
});

function inside(fields: Fields): Check {
  const expected = shape(fields);
  return (value) => faultyField(value, expected) === undefined;
}
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const signer = inside({ key_id: uuid, signer_id: uuid });
const POLICY = inside({
  limits: listOf(
    inside({
      currency,
      per: oneOf('merchant', 'customer', 'destination'),
      within: oneOf('payment', 'hour', 'day', 'month'),
      amount: optional(amount),
      count: optional(count),
    }),
  ),
  new_destination_wait_seconds: count,
  approval: optional(
    inside({
      above: listOf(inside({ currency, amount })),
      new_destination: boolean,
      new_rail: boolean,
      approvers: count,
      expires_after_seconds: count,
    }),
  ),
});

const JUDGED = inside({ policy_version: count, destination: text });
const opens: Check = (value) => value === undefined || faultyField(value, OPENED) === undefined;
const ofEvent = (fields: Fields) => shape(fields, 'type', 'version');
const POSTING: Fields = { account_id: account, currency, amount, balance_after: balance, transaction: uuid };

/** Every version of every event ever written: an old event is checked by its own shape, then upcast. */
const EVENTS: Record<LedgerEvent['type'], Readonly<Record<number, Shape>>> = {
  WalletOpened: {
    1: ofEvent({
      wallet_id: uuid,
      currency,
      description: optional(text),
      address_index: index,
      balance_after: balance,
    }),
  },
  DepositAddressAdded: {
    1: ofEvent({ address_id: uuid, wallet_id: uuid, network, address: text, balance_after: balance }),
  },
  CustomerClosed: { 1: ofEvent({}) },
  DebitPosted: { 1: ofEvent({ ...POSTING, opens, judged: optional(JUDGED) }) },
  CreditPosted: { 1: ofEvent(POSTING) },
  TransactionStatusChanged: {
    1: ofEvent({
      transaction: uuid,
      from: nullable(status),
      to: status,
      account_id: uuid,
      balance_after: balance,
      crypto_transaction_id: optional(text),
      fiat_reference_id: optional(text),
      opens,
    }),
  },
  PolicyChanged: { 1: ofEvent({ policy_version: count, policy: POLICY, changed_by: text, reason: text }) },
  PolicyApplied: {
    1: ofEvent({
      transaction: uuid,
      policy_version: count,
      destination: text,
      created_by: optional(signer),
      approval: optional(inside({ hash: text, approvers: count, expires_at: time })),
      send_after: optional(time),
    }),
  },
  PayoutApproved: { 1: ofEvent({ transaction: uuid, approval_hash: text, signer, approvals: count }) },
  PayoutReleased: { 1: ofEvent({ transaction: uuid }) },
  PayoutRejected: { 1: ofEvent({ transaction: uuid, signer: optional(signer) }) },
};

/**
 * @param value the body, parsed
 * @returns the event, or what is wrong with the text
 */
export function readEvent(body: string, value: unknown = parsedBody(body)): RecordedEvent | string {
  if (!isObject(value)) return 'text is not an event';
  if (!isCanonicalText(body, value)) return 'text is not in canonical form';
  const around = faultyField(value, RECORDED);
  if (around) return `${around} is missing, malformed or not known`;
  const event = value['event'];
  if (!isObject(event)) return 'event is missing, malformed or not known';
  const { type } = event;
  if (typeof type !== 'string' || !Object.hasOwn(EVENTS, type)) return 'event is of a type that is not known';
  const { version } = event;
  const fields = typeof version === 'number' ? EVENTS[type as LedgerEvent['type']][version] : undefined;
  if (!fields) return `${type} is of a version that is not known`;
  const field = faultyField(event, fields);
  if (field) return `${type}: ${field} is missing, malformed or not known`;
  return { ...(value as unknown as RecordedEvent), event: upcast(event as StoredEvent) };
}

/** @returns the name of a field that is malformed or should not be there */
function faultyField(value: unknown, { fields, names }: Shape): string | undefined {
  if (!isObject(value)) return 'opens';
  for (const [name, check] of fields) if (!check(value[name])) return name;
  for (const name in value) if (!names.has(name)) return name;
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns undefined for a body that is no JSON object */
export function parsedBody(body: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(body) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
