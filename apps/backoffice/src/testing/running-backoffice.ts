import { randomBytes, randomUUID } from 'node:crypto';
import { InvitedPerson, Invitations, MerchantOfMembers } from '@stablecoin/people-store/invitations';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { PeopleSeal } from '@stablecoin/people-store/people-seal';
import { Role } from '@stablecoin/people-store/roles';
import { BuiltService } from '@stablecoin/testing/built-service';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import { Client } from 'pg';
import { Browser } from './browser';

/** Browsers say from where they come in a header, as a proxy on this machine would. */
const PROXY = '127.0.0.1/32';

/** The service's own program on a database and a bus, the operators' command line beside it, and browsers. */
export class RunningBackoffice {
  /** As the owner: for looking behind the service's back. */
  readonly owner: Client;

  private constructor(
    readonly database: TestDatabase,
    readonly service: BuiltService,
    readonly invitations: Invitations,
    private readonly people: PeopleDatabase,
    readonly busKey: Buffer,
  ) {
    this.owner = new Client({ connectionString: database.ownerUrl });
  }

  static async start(settings: NodeJS.ProcessEnv = {}): Promise<RunningBackoffice> {
    const database = await createTestDatabase('backoffice');
    const [peopleKey, busKey] = [randomBytes(32), randomBytes(32)];
    const service = await BuiltService.start('backoffice', {
      ...{ NATS_URL: testNatsUrl(), BUS_KEY: busKey.toString('base64') },
      COMMAND_KEY: randomBytes(32).toString('base64'),
      ...{ BACKOFFICE_DATABASE_URL: database.url, PEOPLE_KEY: peopleKey.toString('base64') },
      ...{ PORT: '0', OPERATIONS_PORT: '0', TRUSTED_PROXIES: PROXY, LOG_FORMAT: 'json', ...settings },
    });
    const people = new PeopleDatabase({ url: database.url, poolSize: 2 });
    const invitations = new Invitations(people, new PeopleSeal(peopleKey));
    const backoffice = new RunningBackoffice(database, service, invitations, people, busKey);
    await backoffice.owner.connect();
    return backoffice;
  }

  get url(): string {
    return this.service.url;
  }

  /** @param address from where it comes, as the proxy says */
  browser(address = '198.51.100.7'): Browser {
    return new Browser(this.url, address);
  }

  /** On the machine of the service, without any proxy. */
  here(): Browser {
    return new Browser(this.url, undefined);
  }

  /** One who was invited by the operator's command line, and has signed in. */
  async member(role: Role, merchant: MerchantOfMembers | null): Promise<SignedIn> {
    const { token, member_id } = await this.invitations.inviteAs(personOf(role), merchant);
    const browser = this.browser();
    await browser.signIn(token);
    return { browser, memberId: member_id };
  }

  /** The same with a passkey, which was just seen. */
  async memberWithPasskey(
    role: Role,
    merchant: MerchantOfMembers | null,
  ): Promise<SignedIn & { device: SoftwareDevice }> {
    const member = await this.member(role, merchant);
    const device = SoftwareDevice.at(this.url);
    const challenge = async (path: string) => {
      const { body } = await member.browser.post(`/api/${path}/options`, {});
      return (body as { options: { challenge: string } }).options;
    };
    const response = device.registers(await challenge('passkeys'));
    expect((await member.browser.post('/api/passkeys', { name: 'Laptop', response })).status).toBe(201);
    const shown = device.shows(await challenge('session/step-up'));
    expect((await member.browser.post('/api/session/step-up', { response: shown })).status).toBe(200);
    return { ...member, device };
  }

  async rows<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.owner.query<Row>(statement, values)).rows;
  }

  /** With the rights of the service's login. */
  async asService(statement: string): Promise<void> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** Of one member, oldest first. */
  async actsOf(memberId: string): Promise<string[]> {
    const rows = await this.rows<{ action: string }>('SELECT action FROM acts WHERE member_id = $1 ORDER BY number', [
      memberId,
    ]);
    return rows.map(({ action }) => action);
  }

  async stop(): Promise<void> {
    await Promise.all([this.service.kill('SIGTERM'), this.people.$disconnect(), this.owner.end()]);
    await this.database.drop();
  }
}

export interface SignedIn {
  browser: Browser;
  memberId: string;
}

export const newMerchant = (): MerchantOfMembers => ({
  ...{ merchant_id: randomUUID(), name: 'Marina Traders', mode: 'test', shard: 0 },
});

export const personOf = (role: Role): InvitedPerson => ({ name: 'Ada Obi', email: 'ada.obi@example.com', role });
