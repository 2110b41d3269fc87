import { commandLine } from './testing/command-line';
import { CustomerService, customerWithDocument } from './testing/customer-service';

let service: CustomerService;
beforeAll(async () => {
  service = await CustomerService.start();
});
afterAll(() => service.stop());

const { operate, answer } = commandLine(() => service);

const created = (...flags: string[]) => answer<{ merchant_id: string }>('merchants create', '--name', 'Shop', ...flags);

describe('lists', () => {
  interface Listed {
    merchant_id: string;
    customer_id?: string;
    name?: string;
    email?: string;
  }
  const why = ['--personal-data', '--reason', 'case 7'];

  it('of merchants: ids, modes and keys; names and addresses only on the record', async () => {
    const { merchant_id } = await created('--live', '--email', 'shop@example.com');
    const plain = (await answer<Listed[]>('merchants list --json --limit 10000')).find(
      (each) => each.merchant_id === merchant_id,
    );
    const expected = {
      merchant_id,
      mode: 'live',
      created_at: expect.any(String) as string,
      valid_keys: 1,
      last_used_at: null,
    };
    expect(plain).toEqual(expected);
    const named = await answer<Listed[]>('merchants list --json --limit 10000', ...why);
    expect(named.find((each) => each.merchant_id === merchant_id)).toEqual({
      ...expected,
      name: 'Shop',
      email: 'shop@example.com',
    });
    expect(await answer('log --json --limit 1')).toMatchObject([
      { action: 'merchants list --personal-data', actor: 'Ada Obi', reason: 'case 7' },
    ]);
    expect((await operate(['merchants', 'list'])).out).toMatch(/^MERCHANT ID +MODE +CREATED +VALID KEYS +LAST USED\n/);
    expect((await operate(['merchants', 'list', ...why])).out).toMatch(/^MERCHANT ID .* NAME +E-MAIL\n/);
  });

  it('of customers: those who wait for a review, of one merchant or of all; names only on the record', async () => {
    const { merchant_id } = await created();
    const waiting = await customerWithDocument(service, merchant_id, Buffer.from('%PDF-1.4'));
    const approved = await customerWithDocument(service, merchant_id, Buffer.from('%PDF-1.4'));
    for (const [{ customer_id }, status] of [
      [waiting, 'under_review'],
      [approved, 'approved'],
    ] as const)
      await answer(
        `customers set-kyc-status --merchant ${merchant_id} --customer ${customer_id} --status ${status} --reason`,
        'case 7',
      );
    const idsOf = async (...flags: string[]) =>
      (await answer<Listed[]>('customers list --json --limit 10000', ...flags)).map(({ customer_id }) => customer_id);
    expect(await idsOf('--merchant', merchant_id)).toEqual([waiting.customer_id, approved.customer_id]);
    expect(await idsOf('--merchant', merchant_id, '--kyc', 'under_review')).toEqual([waiting.customer_id]);
    expect(await idsOf('--kyc', 'under_review')).toContain(waiting.customer_id);
    expect(await idsOf('--kyc', 'under_review')).not.toContain(approved.customer_id);
    const [plain] = await answer<Listed[]>('customers list --json', '--merchant', merchant_id);
    expect(Object.keys(plain ?? {}).sort()).toEqual(
      [...['merchant_id', 'customer_id', 'customer_type', 'status', 'kyc_status', 'created_at', 'erased_at']].sort(),
    );
    const [named] = await answer<Listed[]>('customers list --json', '--merchant', merchant_id, ...why);
    expect(named).toMatchObject({
      ...plain,
      name: expect.stringContaining(' ') as unknown,
      email: expect.stringContaining('@') as unknown,
    });
    expect(await answer('log --json --limit 1')).toMatchObject([
      { action: 'customers list --personal-data', merchant_id, actor: 'Ada Obi', reason: 'case 7' },
    ]);
  });
});
