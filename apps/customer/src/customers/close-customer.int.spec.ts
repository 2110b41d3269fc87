import { randomUUID } from 'node:crypto';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Deliveries } from '@stablecoin/facts/testing/deliveries';
import { commandOf } from '@stablecoin/testing/command-of';
import { individual, refusalOf, RunningCustomer } from '../testing/running-service';
import { closeInLedger } from './close-customer.handler';
import { ClosedCustomersConsumer } from './closed-customers.consumer';

describe('closing a customer', () => {
  let service: RunningCustomer;
  let merchant: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    merchant = await service.newMerchant();
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.ledger.refuseWith = undefined;
    service.ledger.asked.length = 0;
  });

  const created = async () => (await service.ask(createIndividualCustomer, commandOf(individual(merchant)))).result;
  const close = (customer_id: string, commandId?: string) =>
    service.ask(closeCustomer, commandOf({ merchant_id: merchant, customer_id }, commandId));
  const intentOf = async (id: string) =>
    (await service.sql<{ at: Date | null }>('SELECT closing_requested_at AS at FROM customers WHERE id = $1', [id]))[0]
      ?.at;

  it('asks the ledger, then closes; twice is fine, and a retry gets the stored answer', async () => {
    const before = await created();
    const commandId = randomUUID();
    const first = await close(before.id, commandId);
    expect(first).toEqual({ result: { ...before, status: 'closed', updated_at: expect.any(String) }, replayed: false });
    expect(await close(before.id)).toEqual(first);
    expect(await close(before.id, commandId)).toEqual({ ...first, replayed: true });
    expect(service.ledger.asked).toEqual([
      { merchant_id: merchant, customer_id: before.id, ...closeInLedger(before.id) },
    ]);
  });

  it('passes on that the customer still has money, and withdraws the intent', async () => {
    const { id } = await created();
    service.ledger.refuseWith = new Refusal('customer_not_empty');
    expect(await refusalOf(close(id))).toBe('customer_not_empty');
    expect(await intentOf(id)).toBeNull();
    expect((await service.ask(getCustomer, { merchant_id: merchant, customer_id: id })).status).toBe('active');
  });

  it('keeps the intent while the outcome is unknown, and asks with the same command again', async () => {
    const { id } = await created();
    service.ledger.refuseWith = new Refusal('unavailable');
    expect(await refusalOf(close(id))).toBe('unavailable');
    expect(await intentOf(id)).toBeInstanceOf(Date);
    service.ledger.refuseWith = undefined;
    expect((await close(id)).result.status).toBe('closed');
    expect(service.ledger.asked.map(({ command_id }) => command_id)).toEqual(
      Array(2).fill(closeInLedger(id).command_id),
    );
  });

  it("doesn't know another merchant's customer, and doesn't ask the ledger about it", async () => {
    const { id } = await created();
    const otherMerchant = commandOf({ merchant_id: await service.newMerchant(), customer_id: id });
    expect(await refusalOf(service.ask(closeCustomer, otherMerchant))).toBe('not_found');
    expect(service.ledger.asked).toEqual([]);
  });

  it('is completed after a crash by the ledger’s fact, once', async () => {
    const { id } = await created();
    const fact = {
      shard: 0,
      position: 7,
      movement: 'customer-closed',
      merchant_id: merchant,
      customer_id: id,
    } as LedgerFact;
    const facts = new Deliveries(service.get(ClosedCustomersConsumer));
    await facts.deliver(fact, fact);
    const closed = await service.ask(getCustomer, { merchant_id: merchant, customer_id: id });
    expect(closed.status).toBe('closed');
    await facts.deliver(fact);
    expect(await service.ask(getCustomer, { merchant_id: merchant, customer_id: id })).toEqual(closed);
  });

  it('derives a UUID that is always the same', () => {
    const id = '8f14e45f-ceea-467f-a0a5-5d3b1c6b2f11';
    expect(closeInLedger(id)).toEqual(closeInLedger(id));
    expect(isUuid(closeInLedger(id).command_id)).toBe(true);
    expect(closeInLedger(id)).not.toEqual(closeInLedger(randomUUID()));
  });
});
