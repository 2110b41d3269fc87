import { asRole } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { commandLine } from '../testing/command-line';
import { CustomerService, customerWithDocument } from '../testing/customer-service';

let service: CustomerService;
beforeAll(async () => {
  service = await CustomerService.start();
});
afterAll(() => service.stop());

const { operate, answer } = commandLine(() => service);

interface Key {
  merchant_id: string;
  key_id: string;
}
const created = (...flags: string[]) => answer<Key>('merchants create', '--name', 'Shop', ...flags);

describe('the log of operators’ acts', () => {
  interface Act {
    number: number;
    action: string;
    actor: string;
    reason: string | null;
    details?: Record<string, unknown>;
  }
  const acts = (...flags: string[]) => answer<Act[]>('log --json', ...flags);
  /** Those that `work` added, oldest first. */
  const actsOf = async (work: () => Promise<unknown>): Promise<Act[]> => {
    const [last] = await acts('--limit', '1');
    await work();
    return (await acts('--limit', '10000')).filter(({ number }) => number > (last?.number ?? 0)).reverse();
  };
  const verify = async (...flags: string[]) => {
    const { code, out } = await operate(['log', '--verify', '--json', ...flags]);
    return { code, ...(JSON.parse(out) as { acts: number; head: string; fault: unknown }) };
  };

  it('names who did what to which key, and why', async () => {
    let merchant = '';
    const recorded = await actsOf(async () => {
      const { merchant_id } = await created('--actor', 'Bea Eze');
      merchant = merchant_id;
      const { key_id } = await answer<Key>(
        `merchants add-key --merchant ${merchant_id} --scopes read --reason`,
        'case 9',
      );
      const rotated = await answer<Key>(`merchants rotate-key --merchant ${merchant_id} --key-id ${key_id}`);
      await answer(`merchants revoke-key --merchant ${merchant_id} --key-id ${rotated.key_id}`);
    });
    const [, added, rotated, revoked] = recorded;
    expect(recorded).toMatchObject([
      {
        action: 'merchants create',
        actor: 'Bea Eze',
        reason: null,
        merchant_id: merchant,
        database_user: 'customer_app',
      },
      { action: 'merchants add-key', actor: 'Ada Obi', reason: 'case 9', merchant_id: merchant },
      { action: 'merchants rotate-key', details: { replaces: added?.details?.['key_id'], scopes: ['read'] } },
      { action: 'merchants revoke-key', details: { key_id: rotated?.details?.['key_id'] } },
    ]);
    expect(revoked?.actor).toBe('Ada Obi');
    const { out } = await operate(['log', '--limit', '2']);
    expect(out).toMatch(/^ACT .* REASON\n.* Ada Obi .* merchants revoke-key .*\n.* merchants rotate-key .*\n$/);
  });

  it('names who decided about a customer, looked at personal data, and changed keys', async () => {
    const { merchant_id } = await created();
    const { customer_id } = await customerWithDocument(service, merchant_id, Buffer.from('%PDF-1.4'));
    const ofCustomer = ['--merchant', merchant_id, '--customer', customer_id, '--reason', 'case 7'];
    const recorded = await actsOf(async () => {
      await answer('customers set-kyc-status --status under_review', ...ofCustomer);
      await answer(`documents list --json --customer ${customer_id} --officer Bea --reason`, 'case 8');
      await operate(['customers', 'rewrap-keys', '--json']);
      await service.sql("UPDATE customers SET status = 'closed' WHERE id = $1", [customer_id]);
      await answer('customers erase', ...ofCustomer);
    });
    expect(recorded).toMatchObject([
      { action: 'customers set-kyc-status', customer_id, reason: 'case 7', details: { kyc_status: 'under_review' } },
      { action: 'documents list', customer_id, actor: 'Bea', reason: 'case 8' },
      { action: 'customers rewrap-keys', actor: 'Ada Obi' },
      { action: 'customers erase', customer_id, reason: 'case 7' },
    ]);
  });

  it('holds nothing of an act that was refused, and no personal data', async () => {
    const { merchant_id } = await created('--email', 'canary@example.com');
    const { customer_id } = await customerWithDocument(service, merchant_id, Buffer.from('%PDF-1.4'));
    const ofCustomer = ['--merchant', merchant_id, '--customer', customer_id, '--reason', 'case 7'];
    expect(await actsOf(() => operate(['customers', 'erase', ...ofCustomer]))).toEqual([]);
    const everything = JSON.stringify(await acts('--limit', '10000'));
    for (const personal of ['canary@example.com', 'Shop', 'sk_test']) expect(everything).not.toContain(personal);
  });

  it('shows those since a moment', async () => {
    await created();
    expect((await acts('--since', new Date(Date.now() - 60_000).toISOString())).length).toBeGreaterThan(0);
    expect(await acts('--since', new Date(Date.now() + 60_000).toISOString())).toEqual([]);
  });

  it('takes acts of many commands at once, one after the other', async () => {
    const recorded = await actsOf(() => Promise.all(Array.from({ length: 8 }, () => created())));
    expect(recorded.map(({ number }) => number)).toEqual(
      recorded.map((_, index) => (recorded[0]?.number ?? 0) + index),
    );
    expect(await verify()).toMatchObject({ code: 0, fault: null });
  });

  it.each(['customer_app', 'customer_compliance'])('is neither changed nor deleted nor forged by %s', async (role) => {
    await created();
    const login = new Client({ connectionString: asRole(service.database.ownerUrl, role) });
    await login.connect();
    const refusal = async (statement: string) =>
      login.query(statement).then(
        () => 'done',
        (error: Error) => error.message,
      );
    try {
      for (const statement of [
        "UPDATE operator_acts SET act = '{}'",
        'DELETE FROM operator_acts',
        'TRUNCATE operator_acts',
      ])
        expect(await refusal(statement)).toMatch(/permission denied|append-only/);
      const text = (changes: string) => `(SELECT jsonb_build_object('number', number + 1, 'database_user', session_user,
        'recorded_at', clock_timestamp()) ${changes} FROM operator_acts ORDER BY number DESC LIMIT 1)`;
      const insert = (
        act: string,
        over = 'hash',
      ) => `WITH new AS (SELECT ${act}::text AS act, number, hash FROM operator_acts
        ORDER BY number DESC LIMIT 1) INSERT INTO operator_acts SELECT number + 1, act,
        sha256(convert_to(E'stablecoin-operator-act/1\\n', 'UTF8') || ${over} || convert_to(act, 'UTF8')) FROM new`;
      expect(await refusal(insert(text(''), "decode(repeat('00', 32), 'hex')"))).toMatch(/does not follow/);
      for (const lie of ['{"database_user": "customer_owner"}', '{"number": 1}', '{"recorded_at": "2026-01-01"}'])
        expect(await refusal(insert(text(`|| '${lie}'`)))).toMatch(/names another/);
    } finally {
      await login.end();
    }
    expect(await verify()).toMatchObject({ code: 0, fault: null });
  });

  it('is refused by its own table even to the owner', async () => {
    await expect(service.sql('DELETE FROM operator_acts')).rejects.toThrow('append-only');
  });

  it('names the first act that was changed, deleted or cut off, and ends with 1', async () => {
    await created();
    const { acts: count, head, fault } = await verify();
    expect(fault).toBeNull();
    const changes: [string, number, RegExp, string[]?][] = [
      [
        "UPDATE operator_acts SET act = replace(act, 'Ada Obi', 'Eve Obi') WHERE number = 2",
        2,
        /hash that does not fit/,
      ],
      ['UPDATE operator_acts SET hash = sha256(hash) WHERE number = 2', 2, /hash that does not fit/],
      ['DELETE FROM operator_acts WHERE number = 2', 2, /is missing: the next one stored is 3/],
      [`DELETE FROM operator_acts WHERE number = ${count}`, count, /written down/, ['--head', head]],
    ];
    await service.sql('ALTER TABLE operator_acts DISABLE TRIGGER USER');
    await service.sql('CREATE TABLE kept_acts AS SELECT * FROM operator_acts');
    try {
      for (const [change, number, problem, flags = []] of changes) {
        await service.sql(change);
        expect(await verify(...flags)).toMatchObject({
          code: 1,
          fault: { number, problem: expect.stringMatching(problem) as unknown },
        });
        const told = await operate(['log', '--verify', ...flags]);
        expect(told).toEqual({
          code: 1,
          out: expect.stringMatching(new RegExp(`^Act ${number} .*\n$`)) as unknown,
          err: '',
        });
        await service.sql('DELETE FROM operator_acts');
        await service.sql('INSERT INTO operator_acts SELECT * FROM kept_acts');
      }
    } finally {
      await service.sql('DROP TABLE kept_acts');
      await service.sql('ALTER TABLE operator_acts ENABLE TRIGGER USER');
    }
    await created();
    expect(await verify('--head', head)).toMatchObject({ code: 0, acts: count + 1, fault: null });
    expect(await operate(['log', '--verify'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Intact: \d+ acts\. Head: \d+:[0-9a-f]{64}\n$/) as unknown,
    });
  });
});
