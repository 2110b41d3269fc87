import { callerKeysText, readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { Evidence, signEvidence } from '@stablecoin/command-proofs/evidence';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { assertNever } from '@stablecoin/ledger-domain/assert-never';
import { AskedBy, Movement, OpenedTransaction, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { eventRows } from '@stablecoin/ledger-store/event-rows';
import { eventfulLog } from '../testing/driven-log';
import { AskerRules } from './asker-rules';
import { LogInspector } from './log-inspector';

const SHARD = 4;
const log = eventfulLog(SHARD);
const SERVICES = ['swap-pricing', 'payout', 'chain'] as const;
const secretOf = (service: string) =>
  new CallerSecret(service, Buffer.alloc(32, SERVICES.findIndex((name) => name === service) + 1));
const KEYS = readCallerKeys(callerKeysText(SERVICES.map((service) => [service, secretOf(service).evidenceKey])));

const groupOf = (first: RecordedEvent) => log.events.filter(({ group }) => group === first.position);
const openedIn = (first: RecordedEvent): OpenedTransaction[] =>
  groupOf(first).flatMap(({ event }) => ('opens' in event && event.opens ? [event.opens] : []));

/** What the services would have stated of the group that begins with an event; undefined for what needs no evidence. */
function statedOf(first: RecordedEvent): Evidence | undefined {
  const { movement, merchant_id, customer_id, command_id } = first;
  const [opens, second] = openedIn(first);
  const changed = groupOf(first)
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
        ...{ ordinal: null, block_number: null, block_hash: null, confirmed: false },
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
    case 'customer-closed':
    case 'deposit-address-added':
    case 'payout-accepted':
    case 'payout-approved':
    case 'payout-released':
    case 'payout-waiting':
    case 'policy-changed':
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
};

/** Undefined for a policy, which is the operator's. */
function askedBy(first: RecordedEvent): AskedBy | undefined {
  if (first.movement === 'policy-changed') return undefined;
  const { event } = first;
  const isRejection = event.type === 'PayoutRejected';
  const service = isRejection && event.signer ? 'gateway' : (ASKERS[first.movement] ?? 'payout');
  const stated = isRejection ? undefined : statedOf(first);
  if (!stated) return { service, mode: 'test' };
  const { text: evidence, signature } = signEvidence(secretOf(service), stated);
  return { service, mode: 'test', evidence, signature };
}

const isFirst = (recorded: RecordedEvent) =>
  recorded.group === recorded.position && log.events[recorded.position - 2]?.command_id !== recorded.command_id;
const asked: RecordedEvent[] = log.events.map((recorded) => {
  const asker = isFirst(recorded) ? askedBy(recorded) : undefined;
  return asker ? { ...recorded, asked_by: asker } : recorded;
});

/** What an auditor finds, with the chain of hashes made anew. */
function foundBy(keys: typeof KEYS | undefined, events: readonly RecordedEvent[]) {
  const tally = { checked: 0, unchecked: 0 };
  const inspector = new LogInspector(SHARD, new AskerRules(keys, tally));
  eventRows(events, GENESIS_HASH).forEach((row) => inspector.follow(row));
  inspector.finish(inspector.head);
  return { position: inspector.fault?.position, problem: inspector.fault?.problem, ...tally };
}
const found = (events: readonly RecordedEvent[]) => foundBy(KEYS, events);

function firstOf(movement: Movement): RecordedEvent & { asked_by: AskedBy } {
  const first = asked.find((recorded) => recorded.movement === movement && recorded.asked_by);
  if (!first?.asked_by) throw new Error(`no ${movement}`);
  return { ...first, asked_by: first.asked_by };
}

/** What is found in the log with another asker of one command. */
function changed(movement: Movement, change: Partial<AskedBy>) {
  const { position, asked_by } = firstOf(movement);
  return found(
    asked.map((recorded) =>
      recorded.position === position ? { ...recorded, asked_by: { ...asked_by, ...change } } : recorded,
    ),
  );
}

function restated(movement: Movement, terms: object) {
  const { evidence = '', service } = firstOf(movement).asked_by;
  const stated = { ...(JSON.parse(evidence) as Evidence), ...terms };
  const { text, signature } = signEvidence(secretOf(service), stated);
  return changed(movement, { evidence: text, signature });
}

it('a log that says who asked, and what they stated, is sound', () => {
  const stated = asked.filter(({ asked_by }) => asked_by?.evidence).length;
  expect(stated).toBeGreaterThan(8);
  expect(found(asked)).toEqual({ position: undefined, problem: undefined, checked: stated, unchecked: 0 });
  expect(foundBy(undefined, asked)).toEqual({ position: undefined, problem: undefined, checked: 0, unchecked: stated });
});

it('a log that is judged while it grows is sound at each end', () => {
  const tally = { checked: 0, unchecked: 0 };
  const inspector = new LogInspector(SHARD, new AskerRules(KEYS, tally));
  const rows = eventRows(asked, GENESIS_HASH);
  rows.forEach((row, index) => {
    inspector.follow(row);
    if (asked[index + 1]?.group !== asked[index]?.group) inspector.finish(inspector.head);
  });
  expect(inspector.fault).toBeUndefined();
  expect(tally.checked).toBe(found(asked).checked);
});

it('a log of a version before, which says nothing of it, is sound', () => {
  expect(found(log.events).problem).toBeUndefined();
});

it.each<[Movement, string]>([
  ['swap-accepted', 'payout'],
  ['deposit-recorded', 'swap-pricing'],
  ['payout-accepted', 'payout'],
  ['payout-completed', 'gateway'],
  ['wallet-opened', 'customer'],
])('a %s that %s asked for is found', (movement, service) => {
  expect(changed(movement, { service })).toMatchObject({
    position: firstOf(movement).position,
    problem: `${service} asked for a ${movement}, which it may not`,
  });
});

it.each<[Movement, object, string]>([
  ['swap-accepted', { to_amount: '1' }, 'to'],
  ['swap-accepted', { from_amount: '1' }, 'from'],
  ['swap-accepted', { price: '7' }, 'price'],
  ['swap-accepted', { customer_id: 'another' }, 'customer_id'],
  ['swap-accepted', { swap_id: 'another' }, 'swap_id'],
  ['swap-accepted', { valid_until: '2020-01-01T00:00:00.000Z' }, 'valid_until'],
  ['deposit-recorded', { amount: '7' }, 'amount'],
  ['deposit-recorded', { wallet_id: 'another' }, 'wallet_id'],
  ['deposit-recorded', { merchant_id: 'another' }, 'merchant_id'],
  ['deposit-recorded', { command_id: 'another' }, 'command_id'],
  ['deposit-reversed', { to: 'FAILED' }, 'to'],
  ['payout-completed', { reference: 'another' }, 'reference'],
  ['payout-completed', { transaction: '0'.repeat(36) }, 'transaction'],
])('a %s of which its service stated %j is found', (movement, terms, names) => {
  expect(restated(movement, terms).problem).toContain(`stated: ${names}`);
});

it('a statement that no key of the service has signed is found', () => {
  const forger = new CallerSecret('payout', Buffer.alloc(32, 9));
  const stated = statedOf(firstOf('deposit-recorded')) as Evidence;
  expect(changed('deposit-recorded', { signature: signEvidence(forger, stated).signature }).problem).toBe(
    'what payout should have stated is signed by none of its keys',
  );
});

it('a statement of another kind is found', () => {
  const { evidence, signature } = firstOf('payout-completed').asked_by;
  expect(changed('deposit-recorded', { evidence, signature }).problem).toContain('payout states no deposit');
});

it('a live merchant whom the sandbox credited is found', () => {
  expect(changed('deposit-recorded', { mode: 'live' }).problem).toBe('the sandbox credits a live merchant');
});

describe('a command without an asker', () => {
  const DAY_MS = 24 * 3_600_000;
  const without = (movement: Movement, afterMs: number) => {
    const { position: from } = firstOf(movement);
    const later = (time: string) => new Date(Date.parse(time) + afterMs).toISOString();
    return found(
      asked.map((recorded) => {
        if (recorded.position < from) return recorded;
        const { asked_by: _, ...nameless } = recorded;
        return { ...nameless, recorded_at: later(recorded.recorded_at) };
      }),
    );
  };

  it('is an older service’s for a day, and then found', () => {
    expect(without('payout-completed', 0).problem).toBeUndefined();
    expect(without('payout-completed', DAY_MS)).toMatchObject({
      position: firstOf('payout-completed').position,
      problem: 'names no service that asked for it',
    });
  });
});

it('an asker on an event that begins no command is found', () => {
  const { position } = firstOf('payout-accepted');
  const events = asked.map((recorded) =>
    recorded.position === position + 1 ? { ...recorded, asked_by: { service: 'gateway' } } : recorded,
  );
  expect(found(events)).toMatchObject({ position: position + 1 });
});
