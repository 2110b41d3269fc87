import { randomUUID } from 'node:crypto';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { clientOfMerchants, MERCHANT_MARK } from './client-of-merchants';
import { clientWithAnswerTimeout } from './client-with-answer-timeout';
import { clientWithPreparedStatements } from './client-with-prepared-statements';

const ROLE = 'merchant_notes_reader';
const [ONE, OTHER] = [randomUUID(), randomUUID()];
const ClientOfMerchants = clientWithPreparedStatements(clientOfMerchants(clientWithAnswerTimeout(4_500), ROLE));
const NOTES = 'SELECT note FROM merchant_notes ORDER BY note';
const ofMerchant = (text: string, values: number) => `${text}${MERCHANT_MARK}$${values + 1}`;

let database: TestDatabase;
let owner: Client;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase('customer');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`
    CREATE ROLE ${ROLE} NOLOGIN;
    CREATE TABLE merchant_notes (merchant_id uuid NOT NULL, note text NOT NULL);
    ALTER TABLE merchant_notes ENABLE ROW LEVEL SECURITY;
    CREATE POLICY of_merchant ON merchant_notes TO ${ROLE}
      USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
    CREATE POLICY of_all ON merchant_notes TO customer_app USING (true);
    GRANT SELECT ON merchant_notes TO ${ROLE}, customer_app;
    GRANT ${ROLE} TO customer_app`);
  await owner.query("INSERT INTO merchant_notes VALUES ($1, 'one'), ($1, 'two'), ($2, 'other')", [ONE, OTHER]);
});

afterAll(async () => {
  await owner.query(`DROP TABLE merchant_notes; DROP ROLE ${ROLE}`);
  await owner.end();
  await database.drop();
});

beforeEach(async () => {
  client = new ClientOfMerchants(database.url);
  await client.connect();
});
afterEach(() => client.end());

async function asked(merchantId: unknown, text = NOTES, values: unknown[] = []): Promise<unknown[]> {
  const config = { text: ofMerchant(text, values.length), values: [...values, merchantId], rowMode: 'array' as const };
  return (await client.query(config)).rows.map(([value]: unknown[]) => value);
}

describe('a statement without any condition', () => {
  it('shows the rows of its merchant, prepared or not, and turn by turn', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await asked(ONE)).toEqual(['one', 'two']);
      expect(await asked(OTHER)).toEqual(['other']);
      expect(await asked(randomUUID())).toEqual([]);
    }
  });

  it('leaves nothing of the merchant in the connection', async () => {
    await asked(ONE);
    const { rows } = await client.query(
      "SELECT current_setting('app.merchant_id', true) AS merchant, current_user AS role",
    );
    expect(rows).toEqual([{ merchant: '', role: 'customer_app' }]);
    expect((await client.query(NOTES)).rows).toHaveLength(3);
  });

  it('takes values of its own before the merchant', async () => {
    expect(await asked(ONE, 'SELECT note FROM merchant_notes WHERE note <> $1', ['one'])).toEqual(['two']);
  });

  it('answers a callback, as a pool asks', async () => {
    const rows = await new Promise((resolve, reject) =>
      client.query<{ note: string }>(
        { text: ofMerchant(NOTES, 0), values: [OTHER] } as never,
        undefined as never,
        (error, result) => (error ? reject(error) : resolve(result.rows)),
      ),
    );
    expect(rows).toEqual([{ note: 'other' }]);
  });
});

describe('a marked statement that names no merchant', () => {
  it.each([
    ['no value', { text: ofMerchant(NOTES, 0), values: [] }],
    ['an empty one', { text: ofMerchant(NOTES, 0), values: [''] }],
  ])('is never sent: %s', async (_, statement) => {
    await expect((async () => client.query(statement))()).rejects.toThrow('has to name its merchant');
  });

  it('is refused by any other client, as one with a merchant is', async () => {
    await expect(owner.query(ofMerchant(NOTES, 0), [ONE])).rejects.toMatchObject({ code: '08P01' });
  });
});

describe('the same text', () => {
  it('shows what its reader may see, prepared for both and turn by turn', async () => {
    const notes = { text: 'SELECT note FROM merchant_notes WHERE note <> $1 ORDER BY note', values: ['none'] };
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await asked(OTHER, notes.text, notes.values)).toEqual(['other']);
      expect((await client.query(notes)).rows).toHaveLength(3);
    }
  });
});

describe('an error', () => {
  it('of a role that the login may not take on keeps the statement from running, and no other', async () => {
    await owner.query(`REVOKE ${ROLE} FROM customer_app`);
    try {
      await expect(asked(ONE, "SELECT 'ran'")).rejects.toMatchObject({ code: '42501' });
      expect((await client.query(NOTES)).rows).toHaveLength(3);
    } finally {
      await owner.query(`GRANT ${ROLE} TO customer_app`);
    }
    expect(await asked(ONE)).toEqual(['one', 'two']);
  });

  it('of the setting keeps the statement from running', async () => {
    await asked(ONE);
    // The setting fails when what it was prepared as is gone.
    await client.query('DEALLOCATE read_for_merchant');
    await expect(asked(ONE)).rejects.toMatchObject({ code: '26000' });
    await expect(asked(ONE, "SELECT 'ran'")).rejects.toMatchObject({ code: '26000' });
  });

  it('of a statement leaves the next one to its own merchant', async () => {
    for (let turn = 0; turn < 3; turn += 1)
      await expect(asked(ONE, 'SELECT 1 / (count(*) - 2) FROM merchant_notes')).rejects.toMatchObject({
        code: '22012',
      });
    expect(await asked(OTHER)).toEqual(['other']);
    expect(await asked(OTHER, 'SELECT 1 / (count(*) - 2) FROM merchant_notes')).toEqual(['-1']);
  });

  it('of a text that never parsed is the same each time', async () => {
    for (let turn = 0; turn < 3; turn += 1)
      await expect(asked(ONE, 'SELECT nothing FROM merchant_notes')).rejects.toMatchObject({ code: '42703' });
    expect(await asked(ONE)).toEqual(['one', 'two']);
  });
});
