import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { Order, PayoutOrder, SwapOrder } from '@stablecoin/command-proofs/order';
import { orderHash } from '@stablecoin/command-proofs/order-signature';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { AskedBy, Movement, OpenedTransaction, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { eventRows } from '@stablecoin/ledger-store/event-rows';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import { KEYS, secretOf, withAskers } from '../testing/asked-log';
import { eventfulLog, judgedLog } from '../testing/driven-log';
import { AskerRules } from './asker-rules';
import { LogInspector } from './log-inspector';

const SHARD = 4;
const judged = withAskers(judgedLog(SHARD).events);
const swapped = withAskers(eventfulLog(SHARD).events);
const device = SoftwareDevice.at('https://console.example');
const LATER = '2099-01-01T00:00:00.000Z';

function found(events: readonly RecordedEvent[]): string | undefined {
  const inspector = new LogInspector(SHARD, new AskerRules(KEYS, { checked: 0, unchecked: 0 }));
  eventRows(events, GENESIS_HASH).forEach((row) => inspector.follow(row));
  inspector.finish(inspector.head);
  return inspector.fault?.problem;
}

function groupThatBegins(log: readonly RecordedEvent[], movement: Movement) {
  const first = log.find((one) => one.movement === movement && one.asked_by);
  if (!first) throw new Error(`no ${movement}`);
  const events = log.filter(({ group }) => group === first.position).map(({ event }) => event);
  const opened = events.flatMap((event) => ('opens' in event && event.opens ? [event.opens] : []));
  return { first, events, opened };
}

/** As `backoffice` states it of what a passkey has signed. */
function stated(order: Order, signed: Order = order, service = 'backoffice') {
  const { text: evidence, signature } = signEvidence(secretOf(service), {
    ...order,
    ...device.signs(orderHash(signed)),
  });
  return { service: 'backoffice', evidence, signature };
}

const replaced = (log: readonly RecordedEvent[], first: RecordedEvent, asked_by: AskedBy) =>
  found(log.map((one) => (one === first ? { ...one, asked_by } : one)));

describe.each(['payout-accepted', 'payout-waiting'] as const)('a %s that a person ordered', (movement) => {
  const { first, events, opened } = groupThatBegins(judged, movement);
  const { amount, currency, exchange_rate, fee, ...opens } = opened[0] as OpenedTransaction;
  const applied = events.find((event) => event.type === 'PolicyApplied');
  const destination =
    applied?.destination ?? events.flatMap((e) => ('judged' in e && e.judged ? [e.judged] : []))[0]?.destination;
  const order: PayoutOrder = {
    ...{ type: 'payout-order', merchant_id: first.merchant_id, customer_id: first.customer_id, mode: 'test' },
    ...{
      key_id: 'member',
      signer_id: 'person',
      ...applied?.created_by,
      command_id: first.command_id,
      valid_until: LATER,
    },
    ...{ currency, amount, fee: fee ?? null, exchange_rate: exchange_rate ?? '' },
    ...{ recipient_currency: opens.recipient_currency ?? null, network: null, bank_code: opens.bank_code ?? null },
    ...{ sealed_destination: opens.sealed_destination ?? '', destination_hash: destination ?? '' },
  };
  const by = (said: object) => replaced(judged, first, { mode: 'test', ...said } as AskedBy);

  it('is sound with what the passkey has signed', () => expect(by(stated(order))).toBeUndefined());

  it('is found without, also where others still name no asker', () => {
    expect(by({ service: 'backoffice' })).toBe(`backoffice states nothing of this ${movement}`);
    const bare = judged.map(({ asked_by: _, ...one }): RecordedEvent => one);
    const asked_by = { service: 'backoffice', mode: 'test' as const };
    const duringUpgrade = bare.map((one) => (one.position === first.position ? { ...one, asked_by } : one));
    expect(found(duringUpgrade)).toBe(`backoffice states nothing of this ${movement}`);
  });

  it.each<[string, Partial<PayoutOrder>]>([
    ['merchant_id', { merchant_id: 'another' }],
    ['customer_id', { customer_id: 'another' }],
    ['mode', { mode: 'live' }],
    ['valid_until', { valid_until: '2020-01-01T00:00:00.000Z' }],
    ['command_id', { command_id: 'another' }],
    ['amount', { amount: '1.00000000' }],
    ['amount', { currency: 'EUR' }],
    ['fee', { fee: '0.00000001' }],
    ['exchange_rate', { exchange_rate: '2' }],
    ['recipient_currency', { recipient_currency: 'GHS' }],
    ['network', { network: 'erc20' }],
    ['bank_code', { bank_code: '999' }],
    ['sealed_destination', { sealed_destination: 'h1.another' }],
    ['destination_hash', { destination_hash: 'cd'.repeat(32) }],
  ])('is found where it is not what was ordered: %s', (name, terms) => {
    const another = { ...order, ...terms };
    expect(by(stated(another))).toBe(`is not what backoffice stated: ${name}`);
  });

  it('is found where the passkey has signed another order', () => {
    expect(by(stated(order, { ...order, amount: '1.00000000' }))).toBe(
      'is ordered by a person, whose passkey has signed no such order',
    );
  });

  it('is found where another service states it', () => {
    expect(by(stated(order, order, 'payout'))).toBe('what backoffice should have stated is signed by none of its keys');
  });
});

it('a payout that waits is found where another person than its creator has ordered it', () => {
  const { first, events, opened } = groupThatBegins(judged, 'payout-waiting');
  const applied = events.find((event) => event.type === 'PolicyApplied');
  const { amount, currency, exchange_rate = '', sealed_destination = '' } = opened[0] as OpenedTransaction;
  const order: PayoutOrder = {
    ...{ type: 'payout-order', merchant_id: first.merchant_id, customer_id: first.customer_id, mode: 'test' },
    ...{ key_id: 'another', signer_id: 'another', command_id: first.command_id, valid_until: LATER },
    ...{ currency, amount, fee: opened[0]?.fee ?? null, exchange_rate, bank_code: opened[0]?.bank_code ?? null },
    ...{ recipient_currency: opened[0]?.recipient_currency ?? null, network: null, sealed_destination },
    destination_hash: applied?.destination ?? '',
  };
  expect(replaced(judged, first, { mode: 'test', ...stated(order) })).toBe('is not what backoffice stated: signer');
});

describe('a swap that a person ordered', () => {
  const { first, opened } = groupThatBegins(swapped, 'swap-accepted');
  const [sold, bought] = opened as [OpenedTransaction, OpenedTransaction];
  const order: SwapOrder = {
    ...{ type: 'swap-order', merchant_id: first.merchant_id, customer_id: first.customer_id, mode: 'test' },
    ...{ key_id: 'member', signer_id: 'person', command_id: 'its own', valid_until: LATER, swap_id: sold.reference_id },
    ...{ from_currency: sold.currency, from_amount: sold.amount, price: sold.exchange_rate ?? '' },
    ...{ to_currency: bought.currency, to_amount: bought.amount },
  };
  const by = (requested_by: object) => replaced(swapped, first, { ...first.asked_by, requested_by } as AskedBy);

  it('is sound with what the passkey has signed, beside the quote', () => {
    expect(by(stated(order))).toBeUndefined();
  });

  it('is found without', () => {
    expect(by({ service: 'backoffice' })).toBe('backoffice states nothing of this swap-accepted');
  });

  it.each<[string, Partial<SwapOrder>]>([
    ['merchant_id', { merchant_id: 'another' }],
    ['customer_id', { customer_id: 'another' }],
    ['mode', { mode: 'live' }],
    ['valid_until', { valid_until: '2020-01-01T00:00:00.000Z' }],
    ['swap_id', { swap_id: 'another' }],
    ['from', { from_amount: '1.00000000' }],
    ['to', { to_amount: '1.00000000' }],
    ['price', { price: '7' }],
  ])('is found where it is not what was ordered: %s', (name, terms) => {
    expect(by(stated({ ...order, ...terms }))).toBe(`is not what backoffice stated: ${name}`);
  });

  it('is found where the passkey has signed another, and where no backoffice took the request', () => {
    expect(by(stated(order, { ...order, price: '7' }))).toBe(
      'is ordered by a person, whose passkey has signed no such order',
    );
    expect(by({ ...stated(order), service: 'payout' })).toBe(
      'is asked for by payout, which may not have others ask for a swap-accepted',
    );
  });
});
