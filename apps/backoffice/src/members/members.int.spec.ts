import { randomUUID } from 'node:crypto';
import { MERCHANT_ROLES, OPERATOR_ROLES, Role } from '@stablecoin/people-store/roles';
import { Browser, Shown } from '../testing/browser';
import { newMerchant, RunningBackoffice, SignedIn } from '../testing/running-backoffice';

let backoffice: RunningBackoffice;

beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
});
afterAll(() => backoffice.stop());

const INVITED = { name: 'Bola Ade', email: 'bola@example.com', role: 'payer' };
/** What an answer says, but for the number of its request. */
const saidBy = ({ status, text }: Shown) => [status, text.replace(/"request_id":"[^"]*"/, '')];
const membersOf = async ({ browser }: SignedIn) => {
  const { body } = await browser.get('/api/members');
  return (body as { data: { member_id: string; role: Role; status: string }[] }).data;
};

describe('what only an admin may', () => {
  const asks: [string, (browser: Browser, memberId: string) => Promise<Shown>][] = [
    ['see the members', (browser) => browser.get('/api/members')],
    ['invite', (browser) => browser.post('/api/invitations', INVITED)],
    ['invite with a body that is none', (browser) => browser.post('/api/invitations', {})],
    ['change a role', (browser, id) => browser.patch(`/api/members/${id}`, { role: 'viewer' })],
    ['remove a member', (browser, id) => browser.delete(`/api/members/${id}`)],
  ];
  const others = [...MERCHANT_ROLES, ...OPERATOR_ROLES].filter((role) => role !== 'admin');
  const isOfMerchant = (role: Role) => (MERCHANT_ROLES as readonly Role[]).includes(role);

  it.each(others)('a %s is refused, without a word of what is there', async (role) => {
    const merchant = newMerchant();
    const admin = await backoffice.member('admin', merchant);
    const { browser } = await backoffice.member(role, isOfMerchant(role) ? merchant : null);
    const before = await membersOf(admin);
    for (const [, ask] of asks) {
      const real = await ask(browser, admin.memberId);
      expect(real).toMatchObject({ status: 403, body: { status: 'error', code: 'not_allowed' } });
      expect(Object.keys(real.body as object).sort()).toEqual(['code', 'message', 'request_id', 'status']);
      for (const memberId of [randomUUID(), 'not-an-id'])
        expect(saidBy(await ask(browser, memberId))).toEqual(saidBy(real));
    }
    expect(await membersOf(admin)).toEqual(before);
  });

  it.each(asks)('to %s is refused to who is not signed in', async (_, ask) => {
    expect(await ask(backoffice.browser(), randomUUID())).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
  });
});

describe('an admin', () => {
  it('invites a member, who signs in once with the link, and stands in the list', async () => {
    const admin = await backoffice.member('admin', newMerchant());
    const { status, body } = await admin.browser.post('/api/invitations', INVITED);
    expect(status).toBe(201);
    const { link, expires_at } = body as { link: string; expires_at: string };
    expect(link).toMatch(new RegExp(`^${backoffice.url}/link#[\\w-]{43}$`));
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(71 * 3_600_000);
    const [, invited] = await membersOf(admin);
    expect(invited).toMatchObject({ name: 'Bola Ade', email: 'bola@example.com', role: 'payer', status: 'invited' });
    const shown = await backoffice.browser().signIn(link.split('#')[1] ?? '');
    expect(shown.body).toMatchObject({ role: 'payer', person: { name: 'Bola Ade' } });
    expect((await membersOf(admin))[1]).toMatchObject({ status: 'active' });
    expect(await backoffice.actsOf(admin.memberId)).toEqual(['signed-in', 'member-invited']);
  });

  it.each([
    ['an unknown role', { ...INVITED, role: 'owner' }],
    ["a role of the operator's", { ...INVITED, role: 'support' }],
    ['no address', { name: 'Bola Ade', role: 'viewer' }],
    ['an address that is none', { ...INVITED, email: 'bola' }],
    ['more than is asked for', { ...INVITED, merchant_id: randomUUID() }],
  ])('does not invite with %s', async (_, body) => {
    const admin = await backoffice.member('admin', newMerchant());
    const shown = await admin.browser.post('/api/invitations', body);
    expect(shown).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await membersOf(admin)).toHaveLength(1);
  });

  it("does not reach another merchant's members: they are not there for it", async () => {
    const admin = await backoffice.member('admin', newMerchant());
    const other = await backoffice.member('admin', newMerchant());
    const operator = await backoffice.member('support', null);
    for (const { memberId } of [other, operator]) {
      const missing = saidBy(await admin.browser.delete(`/api/members/${randomUUID()}`));
      expect(missing[0]).toBe(404);
      expect(saidBy(await admin.browser.delete(`/api/members/${memberId}`))).toEqual(missing);
      expect(saidBy(await admin.browser.patch(`/api/members/${memberId}`, { role: 'viewer' }))).toEqual(missing);
    }
    expect((await other.browser.get('/api/session')).body).toMatchObject({ role: 'admin' });
    expect((await membersOf(admin)).map(({ member_id }) => member_id)).toEqual([admin.memberId]);
  });

  it('changes a role, which the open session has at once', async () => {
    const merchant = newMerchant();
    const admin = await backoffice.member('admin', merchant);
    const member = await backoffice.member('viewer', merchant);
    expect((await member.browser.get('/api/members')).status).toBe(403);
    expect((await admin.browser.patch(`/api/members/${member.memberId}`, { role: 'admin' })).status).toBe(204);
    expect((await member.browser.get('/api/members')).status).toBe(200);
    const [act] = await backoffice.rows(`SELECT details FROM acts WHERE action = 'role-changed' AND member_id = $1`, [
      admin.memberId,
    ]);
    expect(act).toEqual({ details: { member_id: member.memberId, from: 'viewer', to: 'admin' } });
  });

  it('who is the last one is neither removed nor made another', async () => {
    const admin = await backoffice.member('admin', newMerchant());
    const path = `/api/members/${admin.memberId}`;
    const LAST = { status: 409, body: { code: 'last_admin' } };
    expect(await admin.browser.delete(path)).toMatchObject(LAST);
    expect(await admin.browser.patch(path, { role: 'viewer' })).toMatchObject(LAST);
    // One who was invited may never come.
    await admin.browser.post('/api/invitations', { ...INVITED, role: 'admin' });
    expect(await admin.browser.delete(path)).toMatchObject(LAST);
  });

  it('and another one, who remove each other at once, leave one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const merchant = newMerchant();
      const [one, other] = [await backoffice.member('admin', merchant), await backoffice.member('admin', merchant)];
      await Promise.all([
        one.browser.delete(`/api/members/${other.memberId}`),
        other.browser.delete(`/api/members/${one.memberId}`),
      ]);
      const left = await backoffice.rows(`SELECT FROM members WHERE merchant_id = $1 AND status = 'active'`, [
        merchant.merchant_id,
      ]);
      expect(left).toHaveLength(1);
    }
  });
});

describe('the record of acts', () => {
  const statements = [
    `UPDATE acts SET person_id = gen_random_uuid()`,
    'DELETE FROM acts',
    'TRUNCATE acts',
    `UPDATE acts SET details = '{}' WHERE number = 1`,
  ];

  it.each(statements)('takes no "%s": not of the service, by its rights, nor of the owner', async (statement) => {
    await backoffice.member('viewer', newMerchant());
    await expect(backoffice.asService(statement)).rejects.toThrow('permission denied for table acts');
    await expect(backoffice.rows(statement)).rejects.toThrow('acts are added to, and never changed');
  });

  it('has an act if and only if what was done is there', async () => {
    const merchant = newMerchant();
    const admin = await backoffice.member('admin', merchant);
    await backoffice.rows('ALTER TABLE acts ADD CONSTRAINT none CHECK (false) NOT VALID');
    try {
      expect((await admin.browser.post('/api/invitations', INVITED)).status).toBe(500);
      expect((await admin.browser.delete('/api/session')).status).toBe(500);
    } finally {
      await backoffice.rows('ALTER TABLE acts DROP CONSTRAINT none');
    }
    expect(await membersOf(admin)).toHaveLength(1);
  });
});
