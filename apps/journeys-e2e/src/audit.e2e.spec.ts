import { Client as Postgres } from 'pg';
import { ChainVerifier } from '@stablecoin/event-chain/verify-chain';
import { eventually } from '@stablecoin/testing/eventually';
import { audit, auditJson } from './audit-command';
import { Client } from './client';
import { covers } from './covers';
import { sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, createIndividual, deposit, openWallet } from './people';
import { Transaction, Wallet } from './resources';

covers('Rules: audit');

interface Verified {
  ok: boolean;
  events: number;
  first_fault: { shard: number; position: number; problem: string } | null;
}

interface Exported {
  shard: number;
  position: number;
  hash: string;
  body: string;
}

/** One journey on a stack of its own, its audit, then tampering with the log: the cases run in their order. */
describe('the audit', () => {
  let own: OwnStack;
  let merchant: Client;
  let dollars: Wallet;
  let returned: Transaction;
  let afterDeposits: string;

  beforeAll(async () => {
    own = await startOwnStack();
    merchant = sandboxMerchant(own.description);
    const { id: customer_id } = await createIndividual(merchant, { first_name: 'Canaria', last_name: 'Planted' });
    dollars = await openWallet(merchant, { customer_id, currency: 'USD' }, '100');
    await openWallet(merchant, { customer_id, currency: 'NGN' });
    afterDeposits = (await deposit(merchant, dollars.id, '23.45')).updated_at;
    const pair = { customer_id, from_currency: 'USD', to_currency: 'NGN', amount: '40' } as const;
    await merchant.sdk.quotes.create(pair);
    await merchant.sdk.swaps.execute(pair);
    const bank = {
      currency: 'USD',
      account_number: '7755330002',
      bank_code: '011',
      recipient_name: 'Canaria Planted',
    } as const;
    const { transaction_id } = await merchant.sdk.payouts.createToBank({ customer_id, ...bank, amount: '5' });
    returned = await eventually('the payout came back', async () => {
      const found = await merchant.sdk.transactions.get(transaction_id);
      return found.status === 'REVERSED' && found;
    });
  }, 120_000);

  afterAll(() => own?.stop(), 90_000);

  it('verifies the log and every projection', async () => {
    const { code, report } = await auditJson<Verified>(own.description, 'verify');
    expect({ code, ...report }).toMatchObject({ code: 0, ok: true, first_fault: null });
    const { code: readable, stdout } = await audit(own.description, 'verify');
    expect([readable, stdout]).toEqual([0, expect.stringContaining('Intact')]);
  });

  it('replays the log into tables that equal the live ones', async () => {
    const { code, report } = await auditJson<{ ok: boolean }>(own.description, 'replay');
    expect([code, report.ok]).toEqual([0, true]);
  });

  it('prints what a wallet held at a time, and holds now', async () => {
    const balance = async (asOf: string) => {
      const { report } = await auditJson<{ balance: string }>(
        own.description,
        'balance',
        '--wallet',
        dollars.id,
        '--as-of',
        asOf,
      );
      return report.balance;
    };
    expect(await balance(afterDeposits)).toBe('123.45000000');
    expect(await balance(new Date().toISOString())).toBe(await balanceOf(merchant, dollars.id));
    expect(await balanceOf(merchant, dollars.id)).toBe('83.45000000');
  });

  it('explains a payout that came back: held, settled, returned', async () => {
    interface Explained {
      movement: string;
      hash: string;
      event: { type: string; from?: string | null; to?: string };
    }
    const { report } = await auditJson<{ events: Explained[] }>(own.description, 'explain', returned.transaction_id);
    expect([...new Set(report.events.map(({ movement }) => movement))]).toHaveLength(3);
    const statuses = report.events
      .filter(({ event }) => event.type === 'TransactionStatusChanged')
      .map(({ event }) => event.to);
    expect(statuses).toEqual(expect.arrayContaining(['COMPLETED', 'REVERSED']));
    for (const { hash } of report.events) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('exports the log: its chain of hashes can be verified, and it names no customer', async () => {
    const { stdout } = await audit(own.description, 'export');
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Exported);
    const chains = new Map<number, ChainVerifier>();
    for (const { shard, position, hash, body } of events) {
      const chain = chains.get(shard) ?? new ChainVerifier(shard);
      chains.set(shard, chain);
      expect(chain.follow({ shard, position, text: body, hash: Buffer.from(hash, 'hex') })).toBeUndefined();
    }
    expect(stdout).not.toMatch(/Canaria|Planted|7755330002/);
  });

  it('can’t be spoilt by the service’s own role, nor by the owner’s slip', async () => {
    const update = `UPDATE ledger_events SET body = replace(body, '23.45', '93.45')`;
    await expect(onDatabase(own.description.databases.ledger, update)).rejects.toThrow(/permission denied/);
    await expect(onDatabase(own.description.owner_databases.ledger, update)).rejects.toThrow(/append-only/);
  });

  it('finds one byte that was changed by hand, and names its position', async () => {
    const [changed] = await onDatabase(
      own.description.owner_databases.ledger,
      `ALTER TABLE ledger_events DISABLE TRIGGER ledger_events_are_append_only;
       UPDATE ledger_events SET body = replace(body, '23.45', '93.45') WHERE (shard, position) =
         (SELECT shard, position FROM ledger_events WHERE body LIKE '%23.45%' ORDER BY position LIMIT 1) RETURNING shard, position::int;
       ALTER TABLE ledger_events ENABLE TRIGGER ledger_events_are_append_only`,
    );
    const { code, report } = await auditJson<Verified>(own.description, 'verify');
    expect({ code, ok: report.ok, at: report.first_fault }).toMatchObject({ code: 1, ok: false, at: changed });
    const readable = await audit(own.description, 'verify');
    expect([readable.code, readable.stdout]).toEqual([1, expect.stringContaining('NOT intact')]);
  });
});

/** The rows of the statement that returned some. */
async function onDatabase(url: string, statements: string): Promise<Record<string, unknown>[]> {
  const client = new Postgres({ connectionString: url });
  await client.connect();
  try {
    const results = [await client.query<Record<string, unknown>>(statements)].flat();
    return results.flatMap(({ rows }) => rows);
  } finally {
    await client.end();
  }
}
