import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { PeopleSeal } from '@stablecoin/people-store/people-seal';
import { Place, Sessions } from '@stablecoin/people-store/sessions';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { checkoutOperator } from '../checkout-operator';
import { commandLine } from '../testing/command-line';
import { CustomerService } from '../testing/customer-service';

const ORIGIN = 'https://console.example.com';
const HERE: Place = { family: 4, isThisMachine: true };
const ELSEWHERE: Place = { family: 4, isThisMachine: false };
const PERSON = ['--name', 'Bola Ade', '--email', 'bola@example.com'];

let service: CustomerService;
let backoffice: TestDatabase;
let people: PeopleDatabase;
let sessions: Sessions;
const peopleKey = randomBytes(32);

beforeAll(async () => {
  service = await CustomerService.start();
  backoffice = await createTestDatabase('backoffice');
  people = new PeopleDatabase({ url: backoffice.url, poolSize: 1 });
  sessions = new Sessions(people, new PeopleSeal(peopleKey));
});
afterAll(async () => {
  await people.$disconnect();
  await backoffice.drop();
  await service.stop();
});

const line = commandLine(() => service);
const environment = () => ({
  ...line.environment(),
  BACKOFFICE_DATABASE_URL: backoffice.url,
  PEOPLE_KEY: peopleKey.toString('base64'),
  CONSOLE_ORIGIN: ORIGIN,
});

interface Printed {
  merchant_id: string | null;
  role: string;
  link: string;
  expires_at: string;
}
async function invited(...flags: string[]): Promise<Printed> {
  const { code, out, err } = await line.operate(['people', 'invite', ...PERSON, ...flags], environment());
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Printed;
}
const refusedTo = async (...flags: string[]) => {
  const { code, err } = await line.operate(['people', 'invite', ...flags], environment());
  return { code, err };
};
const newMerchant = () => line.answer<{ merchant_id: string; api_key: string }>('merchants create', '--name', 'Shop');
async function signedIn({ link }: Printed, place: Place = ELSEWHERE) {
  const cookie = await sessions.signInByLink(link.split('#')[1] ?? '', place);
  return cookie === undefined ? undefined : sessions.find(cookie, place);
}
const acts = async () => (await line.answer<Record<string, unknown>[]>('log --json')) as { action: string }[];

describe('people invite', () => {
  it('makes the first admin of a merchant, by a link that signs in once', async () => {
    const { merchant_id } = await newMerchant();
    const printed = await invited('--merchant', merchant_id);
    expect(printed).toMatchObject({ merchant_id, role: 'admin' });
    expect(printed.link).toMatch(/^https:\/\/console\.example\.com\/link#[\w-]{43}$/);
    expect(await signedIn(printed)).toMatchObject({
      ...{ name: 'Bola Ade', email: 'bola@example.com', side: 'merchant', role: 'admin' },
      merchant: { merchant_id, name: 'Shop', mode: 'test' },
    });
    expect(await signedIn(printed)).toBeUndefined();
  });

  it("makes one of the operator's people, who are of no merchant", async () => {
    expect(await signedIn(await invited('--role', 'support'))).toMatchObject({
      ...{ side: 'operator', role: 'support', merchant: null, merchant_id: null },
    });
  });

  it('is on the record of acts, and names no person there', async () => {
    const { merchant_id } = await newMerchant();
    await invited('--merchant', merchant_id, '--role', 'viewer', '--reason', 'case 7');
    const [act] = await acts();
    expect(act).toMatchObject({
      ...{ action: 'people invite', merchant_id, actor: 'Ada Obi', reason: 'case 7', details: { role: 'viewer' } },
    });
    expect(JSON.stringify(act)).not.toMatch(/Bola|bola/);
  });

  it('of a merchant that there is not makes no one, and no act', async () => {
    const before = (await acts()).length;
    const missing = ['--merchant', '00000000-0000-4000-8000-000000000000'];
    expect(await refusedTo(...PERSON, ...missing)).toEqual({ code: 1, err: 'error: There is no such merchant.\n' });
    expect(await acts()).toHaveLength(before);
  });

  it.each([
    ['without a role for a person of the operator', PERSON, 1, /Say with --role what one of the operator's people/],
    ["with a merchant's role for one of the operator", [...PERSON, '--role', 'admin'], 1, /support, operations/],
    ['without a name', ['--email', 'bola@example.com'], 2, /--name/],
    ['with an address that is none', ['--name', 'B', '--email', 'x'], 2, /e-mail address/],
  ])('%s says what is missing', async (_, flags, code, text) => {
    expect(await refusedTo(...flags)).toEqual({ code, err: expect.stringMatching(text) as string });
  });
});

describe('people links', () => {
  it('of a checkout sign in as admin of the merchant of the sandbox key and as operator, from this machine only', async () => {
    const { merchant_id, api_key } = await newMerchant();
    const links = async () => {
      const stdout = new PassThrough();
      const env = { ...environment(), SANDBOX_API_KEY: api_key };
      expect(await checkoutOperator(env, stdout, new PassThrough()).run(['people', 'links', '--json'])).toBe(0);
      return JSON.parse(String(stdout.read())) as [Printed, Printed];
    };
    const [admin, operator] = await links();
    expect(await signedIn(admin, ELSEWHERE)).toBeUndefined();
    const session = await signedIn(admin, HERE);
    expect(session).toMatchObject({ role: 'admin', merchant_id });
    expect(await signedIn(operator, HERE)).toMatchObject({ role: 'operations', merchant: null });
    // Others are for the same two members.
    const [again] = await links();
    expect(await signedIn(again, HERE)).toMatchObject({ member_id: session?.member_id });
  });

  it('are no command of a deployment', async () => {
    const { code, err } = await line.operate(['people', 'links'], environment());
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('links') as string });
  });
});
