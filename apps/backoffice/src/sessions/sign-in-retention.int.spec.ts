import { Invitations } from '@stablecoin/people-store/invitations';
import { Passkeys } from '@stablecoin/people-store/passkeys';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { PeopleSeal } from '@stablecoin/people-store/people-seal';
import { Sessions } from '@stablecoin/people-store/sessions';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { BackofficeModule } from '../backoffice.module';
import { newMerchant, personOf } from '../testing/running-backoffice';
import { SignInRetention } from './sign-in-retention';

let database: TestDatabase;
let people: PeopleDatabase;
let owner: Client;
let retention: SignInRetention;
let memberId: string;

beforeAll(async () => {
  database = await createTestDatabase('backoffice');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  people = new PeopleDatabase({ url: database.url, poolSize: 2 });
  const seal = new PeopleSeal(Buffer.alloc(32, 1));
  const [sessions, invitations] = [new Sessions(people, seal), new Invitations(people, seal)];
  retention = new SignInRetention(sessions, invitations, new Passkeys(people, seal, sessions));
  const { token, member_id } = await invitations.inviteAs(personOf('viewer'), newMerchant());
  memberId = member_id;
  await sessions.signInByLink(token, { family: 4, isThisMachine: false });
});
afterAll(async () => {
  await Promise.all([owner.end(), people.$disconnect()]);
  await database.drop();
});

async function expired(table: 'links' | 'sessions', daysAgo: number, count: number): Promise<void> {
  const own = table === 'links' ? ['only_here', 'false'] : ['address_family', '4'];
  await owner.query(
    `INSERT INTO ${table} (id, token_hash, member_id, ${own[0]}, expires_at)
     SELECT gen_random_uuid(), gen_random_uuid()::text::bytea, $1, ${own[1]}, now() - $2::int * interval '1 day'
     FROM generate_series(1, $3::int)`,
    [memberId, daysAgo, count],
  );
}

it('links and sessions are forgotten a month after they have expired, in batches; what is younger and every act stays', async () => {
  for (const table of ['links', 'sessions'] as const) {
    await expired(table, 31, 1_200);
    await expired(table, 29, 3);
  }
  const acts = (await owner.query('SELECT * FROM acts ORDER BY number')).rows;
  await retention.purge();
  const { rows } = await owner.query(
    `SELECT (SELECT count(*)::int FROM links) AS links, (SELECT count(*)::int FROM sessions) AS sessions,
       (SELECT count(*)::int FROM links WHERE expires_at < now() - interval '30 days') AS old`,
  );
  expect(rows).toEqual([{ links: 4, sessions: 4, old: 0 }]);
  expect(acts.length).toBeGreaterThan(1);
  expect((await owner.query('SELECT * FROM acts ORDER BY number')).rows).toEqual(acts);
});

it('challenges are forgotten once they have expired', async () => {
  await owner.query(
    `INSERT INTO challenges (hash, purpose, expires_at)
     SELECT gen_random_uuid()::text::bytea, 'sign-in', now() + $1::int * interval '1 minute' FROM generate_series(1, 3)`,
    [-1],
  );
  await owner.query(
    `INSERT INTO challenges (hash, purpose, expires_at) VALUES ('\\x01', 'sign-in', now() + interval '1 minute')`,
  );
  await retention.purge();
  expect((await owner.query('SELECT count(*)::int FROM challenges')).rows).toEqual([{ count: 1 }]);
});

it.each(['links', 'sessions', 'challenges'])('no one of %s is deleted before it has expired', async (table) => {
  const statement = `DELETE FROM ${table} WHERE expires_at > now()`;
  await expect(people.$executeRawUnsafe(statement)).rejects.toThrow('it is kept until it has expired');
});

it('is part of the service', () => {
  expect(Reflect.getMetadata('providers', BackofficeModule)).toContain(SignInRetention);
});
