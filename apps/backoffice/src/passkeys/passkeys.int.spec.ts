import { Dishonest, SoftwareDevice } from '@stablecoin/testing/software-device';
import type { Browser } from '../testing/browser';
import { newMerchant, personOf, RunningBackoffice, SignedIn } from '../testing/running-backoffice';

let backoffice: RunningBackoffice;

beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
});
afterAll(() => backoffice.stop());

interface Options {
  options: { challenge: string; excludeCredentials?: { id: string }[]; allowCredentials?: { id: string }[] };
}

const NOT_VALID = { status: 401, body: { status: 'error', code: 'passkey_not_valid' } };
const REFUSED = { status: 403, body: { status: 'error', code: 'passkey_refused' } };
const STEP_UP = { status: 403, body: { status: 'error', code: 'step_up_required' } };

const optionsOf = async (browser: Browser, path: string) => {
  const { status, body, text } = await browser.post(`/api/${path}/options`, {});
  if (status !== 200) throw new Error(`${path} has no options: ${text}`);
  return (body as Options).options;
};
const newDevice = () => SoftwareDevice.at(backoffice.url);

async function added(browser: Browser, device = newDevice(), name = 'Laptop'): Promise<SoftwareDevice> {
  const options = await optionsOf(browser, 'passkeys');
  const { status, text } = await browser.post('/api/passkeys', { name, response: device.registers(options) });
  if (status !== 201) throw new Error(`the passkey was answered ${status}: ${text}`);
  return device;
}

async function signsIn(device: SoftwareDevice, dishonest: Dishonest = {}, browser = backoffice.browser()) {
  const response = device.shows(await optionsOf(browser, 'session/passkey'), dishonest);
  return { browser, response, shown: await browser.post('/api/session/passkey', { response }) };
}

async function stepsUp(browser: Browser, device: SoftwareDevice, dishonest: Dishonest = {}) {
  const response = device.shows(await optionsOf(browser, 'session/step-up'), dishonest);
  return browser.post('/api/session/step-up', { response });
}

/** Five minutes on. */
const later = ({ memberId }: SignedIn) =>
  backoffice.rows(`UPDATE sessions SET stepped_up_until = now() - interval '1 second' WHERE member_id = $1`, [
    memberId,
  ]);

describe('a passkey', () => {
  it('is added to the person of the session, and signs in without a link', async () => {
    const { browser, memberId } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    const { shown, browser: another } = await signsIn(device);
    expect(shown).toMatchObject({ status: 200, body: { person: { name: 'Ada Obi' }, role: 'viewer', passkeys: 1 } });
    expect((await another.get('/api/session')).body).toEqual(shown.body);
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in', 'passkey-added', 'signed-in']);
  });

  it('is of a kind that the ledger and auditors can judge', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const { pubKeyCredParams } = (await optionsOf(browser, 'passkeys')) as { pubKeyCredParams?: { alg: number }[] };
    expect(pubKeyCredParams?.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
  });

  it('is listed by its name, removed once, and signs in no more', async () => {
    const member = await backoffice.member('payer', newMerchant());
    const { browser } = member;
    const device = await added(browser);
    await stepsUp(browser, device);
    const { body } = await browser.get('/api/passkeys');
    const [{ passkey_id } = { passkey_id: '' }] = (body as { data: { passkey_id: string }[] }).data;
    expect(body).toEqual({
      data: [
        { passkey_id, name: 'Laptop', created_at: expect.any(String), last_used_at: expect.any(String) },
      ] as unknown,
    });
    expect((await browser.delete(`/api/passkeys/${passkey_id}`)).status).toBe(204);
    expect(await browser.delete(`/api/passkeys/${passkey_id}`)).toMatchObject({ status: 404 });
    expect((await signsIn(device)).shown).toMatchObject(NOT_VALID);
    await expect(
      backoffice.asService(`UPDATE passkeys SET removed_at = NULL WHERE id = '${passkey_id}'`),
    ).rejects.toThrow('removed once it was');
  });

  it("of another person's is not removed", async () => {
    const [one, other] = [
      await backoffice.member('payer', newMerchant()),
      await backoffice.member('payer', newMerchant()),
    ];
    await added(one.browser);
    const { body } = await one.browser.get('/api/passkeys');
    const [{ passkey_id } = { passkey_id: '' }] = (body as { data: { passkey_id: string }[] }).data;
    expect(await other.browser.delete(`/api/passkeys/${passkey_id}`)).toMatchObject({ status: 404 });
    expect((await one.browser.get('/api/passkeys')).body).toEqual(body);
  });

  it('is known to the devices, so that they make no second one, and is added to no one else', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    await stepsUp(browser, device);
    const options = await optionsOf(browser, 'passkeys');
    expect(options.excludeCredentials).toMatchObject([{ id: device.credentialId.toString('base64url') }]);
    const { browser: another } = await backoffice.member('viewer', newMerchant());
    const response = device.registers(await optionsOf(another, 'passkeys'));
    expect(await another.post('/api/passkeys', { name: 'Mine', response })).toMatchObject({
      status: 409,
      body: { code: 'passkey_known' },
    });
  });

  const lies: [string, Dishonest][] = [
    ['on a page of another origin', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['by another person who holds the device', { unverified: true }],
    ['over a challenge that was never drawn', { challenge: Buffer.alloc(32).toString('base64url') }],
  ];
  it.each(lies)('shown %s does not sign in, and is not added', async (_, dishonest) => {
    const { browser, memberId } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    expect((await signsIn(device, dishonest)).shown).toMatchObject(NOT_VALID);
    expect(await stepsUp(browser, device, dishonest)).toMatchObject(REFUSED);
    const { browser: another } = await backoffice.member('viewer', newMerchant());
    const response = newDevice().registers(await optionsOf(another, 'passkeys'), dishonest);
    expect(await another.post('/api/passkeys', { name: 'Mine', response })).toMatchObject(REFUSED);
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in', 'passkey-added']);
  });

  it('signs another with its own key for nothing', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    const thief = newDevice();
    device.credentialId.copy(thief.credentialId);
    expect((await signsIn(thief)).shown).toMatchObject(NOT_VALID);
  });

  it('that was copied is refused when the copies count apart, on the record', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    const copy = device.copied();
    await signsIn(device);
    expect((await signsIn(device)).shown.status).toBe(200);
    expect((await signsIn(copy, { uses: 2 })).shown).toMatchObject(NOT_VALID);
    const [{ person_id } = { person_id: '' }] = await backoffice.rows<{ person_id: string }>(
      'SELECT person_id::text FROM passkeys WHERE credential_id = $1',
      [device.credentialId],
    );
    expect(
      await backoffice.rows(
        `SELECT details->'uses' AS uses FROM acts WHERE action = 'passkey-refused' AND person_id = $1`,
        [person_id],
      ),
    ).toEqual([{ uses: 2 }]);
  });

  it('of a device that does not count signs in again and again', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    for (let time = 0; time < 3; time += 1) expect((await signsIn(device, { uses: 0 })).shown.status).toBe(200);
  });

  it('of a removed member does not sign in', async () => {
    const merchant = newMerchant();
    const { browser, memberId } = await backoffice.member('viewer', merchant);
    const device = await added(browser);
    const admin = await backoffice.member('admin', merchant);
    expect((await admin.browser.delete(`/api/members/${memberId}`)).status).toBe(204);
    expect((await signsIn(device)).shown).toMatchObject(NOT_VALID);
  });
});

describe('an answer', () => {
  it('is taken once, also where it comes ten times at once', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    const response = device.shows(await optionsOf(backoffice.browser(), 'session/passkey'));
    const browsers = Array.from({ length: 10 }, () => backoffice.browser());
    const shown = await Promise.all(browsers.map((one) => one.post('/api/session/passkey', { response })));
    expect(shown.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
  });

  it('that comes too late is none', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    const response = device.shows(await optionsOf(backoffice.browser(), 'session/passkey'));
    await backoffice.rows(`ALTER TABLE challenges DISABLE TRIGGER USER;
      UPDATE challenges SET expires_at = now() - interval '1 second' WHERE used_at IS NULL;
      ALTER TABLE challenges ENABLE TRIGGER USER`);
    expect(await backoffice.browser().post('/api/session/passkey', { response })).toMatchObject(NOT_VALID);
  });

  it('to one question is none to another: of another purpose, or of another session', async () => {
    const { browser } = await backoffice.member('viewer', newMerchant());
    const device = await added(browser);
    // It does not count, so that an answer is refused for nothing but its question.
    const still = { uses: 0 };
    const signIn = device.shows(await optionsOf(browser, 'session/passkey'), still);
    expect(await browser.post('/api/session/step-up', { response: signIn })).toMatchObject(REFUSED);
    const stepUp = device.shows(await optionsOf(browser, 'session/step-up'), still);
    expect(await backoffice.browser().post('/api/session/passkey', { response: stepUp })).toMatchObject(NOT_VALID);
    const { browser: second } = await signsIn(device, still);
    expect(await second.post('/api/session/step-up', { response: stepUp })).toMatchObject(REFUSED);
    expect((await browser.post('/api/session/step-up', { response: stepUp })).status).toBe(200);
    const toAdd = device.shows(await optionsOf(browser, 'passkeys'), still);
    expect(await browser.post('/api/session/step-up', { response: toAdd })).toMatchObject(REFUSED);
  });

  it("of another person's passkey is no step-up", async () => {
    const [one, other] = [
      await backoffice.member('admin', newMerchant()),
      await backoffice.member('admin', newMerchant()),
    ];
    await added(one.browser);
    const device = await added(other.browser);
    expect(await stepsUp(one.browser, device)).toMatchObject(REFUSED);
  });

  it.each([
    ['nothing', {}],
    ['a text', { response: 'x' }],
    ['no client data', { response: { id: 'x', response: {} } }],
    ['client data that is no JSON', { response: { id: 'x', response: { clientDataJSON: 'eA' } } }],
    ['a list', { response: [] }],
  ])('that is %s is refused by its field', async (_, body) => {
    expect(await backoffice.browser().post('/api/session/passkey', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });
});

describe('what needs more than a cookie', () => {
  it('wants the passkey seen within five minutes, of who has one', async () => {
    const merchant = newMerchant();
    const admin = await backoffice.member('admin', merchant);
    const { memberId } = await backoffice.member('viewer', merchant);
    const asks = [
      () => admin.browser.post('/api/invitations', { ...personOf('viewer') }),
      () => admin.browser.patch(`/api/members/${memberId}`, { role: 'payer' }),
      () => admin.browser.post('/api/passkeys/options', {}),
    ];
    for (const ask of asks) expect((await ask()).status).toBeLessThan(300);
    const device = await added(admin.browser);
    for (const ask of asks) expect(await ask()).toMatchObject(STEP_UP);
    expect(await admin.browser.delete(`/api/members/${memberId}`)).toMatchObject(STEP_UP);
    expect(await admin.browser.delete(`/api/passkeys/${memberId}`)).toMatchObject(STEP_UP);
    expect(await stepsUp(admin.browser, device)).toMatchObject({
      status: 200,
      body: { stepped_up_until: expect.any(String) as string },
    });
    for (const ask of asks) expect((await ask()).status).toBeLessThan(300);
    await later(admin);
    for (const ask of asks) expect(await ask()).toMatchObject(STEP_UP);
    expect(await backoffice.actsOf(admin.memberId)).toContain('stepped-up');
  });

  it('is let through for minutes after a sign-in by passkey', async () => {
    const admin = await backoffice.member('admin', newMerchant());
    const { browser } = await signsIn(await added(admin.browser));
    expect((await browser.post('/api/invitations', { ...personOf('viewer') })).status).toBe(201);
  });

  it('has no question for who has no passkey', async () => {
    const { browser } = await backoffice.member('admin', newMerchant());
    expect(await browser.post('/api/session/step-up/options', {})).toMatchObject({
      status: 409,
      body: { code: 'no_passkey_yet' },
    });
  });
});

it('names of devices and challenges are in no clear text in the database', async () => {
  const { browser } = await backoffice.member('viewer', newMerchant());
  await added(browser, newDevice(), 'Kitchen tablet');
  const { challenge } = await optionsOf(browser, 'session/step-up');
  const rows = [
    ...(await backoffice.rows('SELECT passkeys::text FROM passkeys')),
    ...(await backoffice.rows('SELECT challenges::text FROM challenges')),
  ];
  const all = JSON.stringify(rows);
  expect(all.length).toBeGreaterThan(500);
  for (const secret of ['Kitchen', challenge, Buffer.from(challenge, 'base64url').toString('hex')])
    expect(all).not.toContain(secret);
});

describe('at an address', () => {
  it('there are no passkeys, and it is said why', async () => {
    const at = await RunningBackoffice.start({ HOST: '127.0.0.2' });
    try {
      expect(await at.browser().post('/api/session/passkey/options', {})).toMatchObject({
        status: 409,
        body: { code: 'no_passkeys_here' },
      });
    } finally {
      await at.stop();
    }
  });
});
