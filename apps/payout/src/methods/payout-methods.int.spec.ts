import { randomUUID } from 'node:crypto';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import { AddBankMethod } from '@stablecoin/contracts/payout/add-bank-method';
import { AddWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { DeletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { ListPayoutMethods } from '@stablecoin/contracts/payout/list-payout-methods';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { OwnerKeys } from '../owners/owner-keys';
import { PayoutDatabase } from '../persistence/payout-database';
import { ListPayoutMethodsHandler } from './list-payout-methods.handler';
import { closedCustomer, unknownCustomer } from '../testing/outside-services';
import { RunningPayout, startPayout } from '../testing/running-service';
import { AddBankMethodHandler } from './add-bank-method.handler';
import { AddWalletMethodHandler } from './add-wallet-method.handler';
import { DeletePayoutMethodHandler } from './delete-payout-method.handler';
import { MethodSaving } from './method-saving';

// Without the consumer of facts: the spec of the payout process uses its name on the shared broker.
const providers = [
  ...[PayoutDatabase, OwnerKeys, MethodSaving, ListPayoutMethodsHandler],
  ...[AddWalletMethodHandler, AddBankMethodHandler, DeletePayoutMethodHandler],
];
let service: RunningPayout;
let merchant: string;

beforeAll(async () => {
  service = await startPayout({ imports: [CqrsModule], providers });
});
beforeEach(() => {
  merchant = randomUUID();
});
afterAll(() => service.stop());

const bank = {
  account_number: 'CANARY0123456789',
  account_name: 'Canary Ada',
  bank_name: 'Canary Bank',
  bank_code: '058',
};
const routing = { sort_code: '11-22-33', swift_code: 'CANARYGB', routing_number: '026009593', iban: 'CANARYGB29' };
const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const wallet = { wallet_address: address, network: 'erc20', currency: 'USDT', label: 'Canary label' } as const;

/** As the bus does: what arrives is validated, then dispatched. */
const send = async <Reply>(type: RequestClass<object>, command: object): Promise<Reply> =>
  service.app.get(CommandBus).execute(validateRequest(type, command));
const addBank = (over: Partial<AddBankMethod> = {}, commandId?: string) =>
  send<CommandReply<PayoutMethodView>>(
    AddBankMethod,
    commandOf({ merchant_id: merchant, currency: 'NGN', ...bank, ...routing, ...over }, commandId),
  );
const addWallet = (over: Partial<AddWalletMethod> = {}) =>
  send<CommandReply<PayoutMethodView>>(AddWalletMethod, commandOf({ merchant_id: merchant, ...wallet, ...over }));
const remove = (payout_method_id: string, customer_id?: string, commandId?: string) =>
  send(DeletePayoutMethod, commandOf({ merchant_id: merchant, payout_method_id, customer_id }, commandId));
const list = (over: Partial<ListPayoutMethods> = {}): Promise<Page<PayoutMethodView>> =>
  service.app.get(QueryBus).execute(Object.assign(new ListPayoutMethods(), { merchant_id: merchant }, over));
const refuses = (code: Refusal['code']): unknown => expect.objectContaining({ code });

describe('saved payout methods', () => {
  it('come back as they were given, newest first', async () => {
    const customer = randomUUID();
    const first = await addBank();
    const second = await addWallet({ customer_id: customer });
    expect(first.result).toMatchObject({ type: 'BANK', currency: 'NGN', customer_id: null, ...bank, ...routing });
    expect(second.result).toMatchObject({ type: 'WALLET', customer_id: customer, ...wallet });
    await expect(list()).resolves.toEqual({ items: [second.result, first.result], total: 2, page: 1, limit: 20 });
  });

  it('are listed by owner, type and currency, page by page, and to their merchant only', async () => {
    const customer = randomUUID();
    const [mine, theirs] = [(await addBank()).result, (await addWallet({ customer_id: customer })).result];
    expect((await list({ customer_id: customer })).items).toEqual([theirs]);
    expect((await list({ type: 'BANK' })).items).toEqual([mine]);
    expect((await list({ currency: 'USDT' })).items).toEqual([theirs]);
    expect(await list({ page: 2, limit: 1 })).toEqual({ items: [mine], total: 2, page: 2, limit: 1 });
    expect(await list({ page: 999_999_999, limit: 100 })).toMatchObject({ items: [], total: 2 });
    expect(await list({ merchant_id: randomUUID() })).toMatchObject({ items: [], total: 0 });
  });

  it('are saved once per command, and the first reply is given again after they are deleted', async () => {
    const command = randomUUID();
    const first = await addBank({}, command);
    await remove(first.result.id);
    await expect(addBank({}, command)).resolves.toEqual({ result: first.result, replayed: true });
    expect((await list()).total).toBe(0);
    await expect(addBank({ bank_code: '059' }, command)).rejects.toEqual(refuses('idempotency_key_reused'));
  });

  it.each([
    ['a closed customer', { customer_id: closedCustomer() }, 'customer_closed'],
    ['an unknown customer', { customer_id: unknownCustomer() }, 'not_found'],
  ] as const)('are refused for %s', async (_case, over, code) => {
    await expect(addWallet(over)).rejects.toEqual(refuses(code));
    await expect(addBank(over)).rejects.toEqual(refuses(code));
    expect((await list()).total).toBe(0);
  });

  it.each([
    ['USDC', 'trc20', 'network: unsupported_network'],
    ['NGN', 'erc20', 'currency: unsupported_currency'],
  ] as const)('of %s on %s are refused by the service itself', async (currency, network, refusal) => {
    const [field, code] = refusal.split(': ');
    const fields = expect.arrayContaining([expect.objectContaining({ field, code })]);
    await expect(addWallet({ currency, network })).rejects.toMatchObject({ code: 'validation_failed', fields });
  });

  it('are deleted by their owner only', async () => {
    const customer = randomUUID();
    const theirs = (await addWallet({ customer_id: customer })).result;
    const mine = (await addBank()).result;
    await expect(remove(theirs.id)).rejects.toEqual(refuses('not_found'));
    await expect(remove(theirs.id, randomUUID())).rejects.toEqual(refuses('not_found'));
    await expect(remove(mine.id, customer)).rejects.toEqual(refuses('not_found'));
    const owner = merchant;
    merchant = randomUUID();
    await expect(remove(mine.id)).rejects.toEqual(refuses('not_found'));
    merchant = owner;
    const command = randomUUID();
    await expect(remove(theirs.id, customer, command)).resolves.toEqual({
      result: { customer_id: customer },
      replayed: false,
    });
    await expect(remove(theirs.id, customer, command)).resolves.toEqual({
      result: { customer_id: customer },
      replayed: true,
    });
    await expect(remove(mine.id)).resolves.toMatchObject({ result: { customer_id: null } });
    expect((await list()).total).toBe(0);
  });

  it('are not deleted against an objection, but keep the result', async () => {
    const { id } = (await addBank()).result;
    const fields = commandOf({ merchant_id: merchant, payout_method_id: id });
    const objected = { ...fields, objection: 'customer_closed' };
    await expect(send(DeletePayoutMethod, objected)).rejects.toEqual(refuses('customer_closed'));
    expect((await list()).total).toBe(1);
    await send(DeletePayoutMethod, fields);
    await expect(send(DeletePayoutMethod, objected)).resolves.toMatchObject({ replayed: true });
  });

  it('leave nothing readable in any column', async () => {
    await addBank();
    await addWallet();
    const client = new Client({ connectionString: service.database.ownerUrl });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    let everything = '';
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} AS t`);
      everything += rows.map(({ row }) => row).join('\n');
    }
    await client.end();
    expect(everything).toContain(merchant);
    for (const canary of ['canary', address, bank.account_number, routing.routing_number, routing.sort_code]) {
      expect(everything.toLowerCase()).not.toContain(canary.toLowerCase());
    }
  });
});
