/** A log that says of each command who asked for it, and what that service stated, as the ledger writes it. */
import { callerKeysText, readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { DepositEvidence, Evidence, EvidenceRail, signEvidence } from '@stablecoin/command-proofs/evidence';
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { assertNever } from '@stablecoin/ledger-domain/assert-never';
import { AskedBy, MerchantMode, Movement, OpenedTransaction, RecordedEvent } from '@stablecoin/ledger-domain/events';

const SERVICES = ['swap-pricing', 'payout', 'chain', 'operator', 'backoffice'] as const;
export const secretOf = (service: string) =>
  new CallerSecret(service, Buffer.alloc(32, SERVICES.findIndex((name) => name === service) + 1));
export const KEYS = readCallerKeys(callerKeysText(SERVICES.map((service) => [service, secretOf(service).evidenceKey])));

type Log = readonly RecordedEvent[];
const groupOf = (log: Log, first: RecordedEvent) => log.filter(({ group }) => group === first.position);
const openedIn = (log: Log, first: RecordedEvent): OpenedTransaction[] =>
  groupOf(log, first).flatMap(({ event }) => ('opens' in event && event.opens ? [event.opens] : []));

const isCreditedAtOnce = (log: Log, { command_id }: RecordedEvent): boolean =>
  log.some((one) => one.command_id === command_id && one.movement === 'deposit-completed');

/** What the services would have stated of the group that begins with an event; undefined for what needs no evidence. */
function statedOf(log: Log, first: RecordedEvent): Evidence | undefined {
  const { movement, merchant_id, customer_id, command_id } = first;
  const [opens, second] = openedIn(log, first);
  const changed = groupOf(log, first)
    .map(({ event }) => event)
    .find((event) => event.type === 'TransactionStatusChanged');
  switch (movement) {
    case 'deposit-recorded':
      return {
        ...{
          type: 'deposit',
          rail: 'sandbox',
          merchant_id,
          wallet_id: opens?.wallet_id ?? '',
          amount: opens?.amount ?? '',
        },
        ...{ network: opens?.network ?? null, crypto_transaction_id: opens?.crypto_transaction_id ?? null, command_id },
        ...{ ordinal: null, block_number: null, block_hash: null, confirmed: isCreditedAtOnce(log, first) },
      };
    case 'deposit-completed':
    case 'deposit-failed':
    case 'deposit-reversed':
      return {
        ...{ type: 'deposit-end', rail: 'sandbox', merchant_id, id: changed?.transaction ?? '', command_id },
        to: changed?.to as 'COMPLETED',
      };
    case 'payout-completed':
    case 'payout-failed':
    case 'payout-reversed':
      return {
        ...{ type: 'settlement', rail: 'sandbox', merchant_id, transaction: changed?.transaction ?? '', command_id },
        resolution: changed?.to as 'COMPLETED',
        reference: changed?.crypto_transaction_id ?? changed?.fiat_reference_id ?? null,
      };
    case 'swap-accepted':
      return {
        ...{ type: 'quote', merchant_id, customer_id, swap_id: opens?.reference_id ?? '', rates: 'static' },
        ...{
          from_currency: opens?.currency ?? '',
          from_amount: opens?.amount ?? '',
          price: opens?.exchange_rate ?? '',
        },
        ...{ to_currency: second?.currency ?? '', to_amount: second?.amount ?? '', valid_until: first.recorded_at },
      };
    case 'policy-changed': {
      const { event } = first;
      if (event.type !== 'PolicyChanged') throw new Error('no policy');
      const { policy, policy_version, changed_by, reason } = event;
      const text = canonicalText(policy as unknown as CanonicalValue);
      const of = { policy_version, stated_at: first.recorded_at, command_id };
      return { type: 'policy', merchant_id, policy: text, changed_by, reason, ...of };
    }
    case 'customer-closed':
    case 'deposit-address-added':
    case 'payout-accepted':
    case 'payout-approved':
    case 'payout-released':
    case 'payout-waiting':
    case 'swap-settled':
    case 'transfer-received':
    case 'transfer-sent':
    case 'wallet-opened':
      return undefined;
    default:
      return assertNever(movement);
  }
}

const ASKERS: Partial<Record<Movement, string>> = {
  ...{ 'customer-closed': 'customer', 'swap-accepted': 'swap-pricing' },
  ...{ 'wallet-opened': 'gateway', 'deposit-address-added': 'gateway', 'payout-accepted': 'gateway' },
  ...{ 'payout-waiting': 'gateway', 'payout-approved': 'gateway', 'payout-released': 'gateway' },
  'policy-changed': 'operator',
};

function askedBy(log: Log, first: RecordedEvent): AskedBy {
  const { event } = first;
  const isRejection = event.type === 'PayoutRejected';
  const service = isRejection && event.signer ? 'gateway' : (ASKERS[first.movement] ?? 'payout');
  const stated = isRejection ? undefined : statedOf(log, first);
  if (!stated) return { service, mode: 'test' };
  const { text: evidence, signature } = signEvidence(secretOf(service), stated);
  return { service, mode: 'test', evidence, signature };
}

const isFirst = (log: Log, { group, position, command_id }: RecordedEvent) =>
  group === position && log[position - 2]?.command_id !== command_id;

export const withAskers = (log: Log): RecordedEvent[] =>
  log.map((recorded) => (isFirst(log, recorded) ? { ...recorded, asked_by: askedBy(log, recorded) } : recorded));

/** What is said otherwise of who asked. */
export type Asking = (recorded: RecordedEvent) => RecordedEvent;

export interface Stating {
  service: 'payout' | 'chain';
  rail: EvidenceRail;
  ofDeposits?: MerchantMode;
  /** What is stated otherwise, or not at all. */
  unsaid?: Partial<DepositEvidence>;
}
export const ON_CHAIN: Stating = { service: 'chain', rail: 'chain' };

/** As a merchant's of this mode, where its deposits are stated by a service of a rail. */
export const asked =
  (mode: MerchantMode, { service, rail, ofDeposits, unsaid }: Stating): Asking =>
  (recorded) => {
    const { asked_by, movement } = recorded;
    if (!asked_by?.evidence || movement !== 'deposit-recorded')
      return asked_by ? { ...recorded, asked_by: { ...asked_by, mode } } : recorded;
    const place = rail === 'chain' && { ordinal: 0, block_number: 7, block_hash: '0xb' };
    const stated: DepositEvidence = {
      ...(JSON.parse(asked_by.evidence) as DepositEvidence),
      ...{ rail, ...place, ...unsaid },
    };
    const { text: evidence, signature } = signEvidence(secretOf(service), stated);
    return { ...recorded, asked_by: { service, evidence, signature, ...(ofDeposits && { mode: ofDeposits }) } };
  };
