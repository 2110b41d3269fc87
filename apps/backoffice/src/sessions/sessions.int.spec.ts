import { createHash, randomBytes } from 'node:crypto';
import { newMerchant, personOf, RunningBackoffice } from '../testing/running-backoffice';

let backoffice: RunningBackoffice;

beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
});
afterAll(() => backoffice.stop());

const newLink = async () => {
  const merchant = newMerchant();
  return { merchant, ...(await backoffice.invitations.inviteAs(personOf('admin'), merchant)) };
};
const NOT_SIGNED_IN = { status: 401, body: { status: 'error', code: 'not_signed_in' } };
const LINK_NOT_VALID = { status: 401, body: { status: 'error', code: 'link_not_valid' } };

describe('a link', () => {
  it('signs in, and says who is signed in', async () => {
    const { token, merchant, member_id } = await newLink();
    const browser = backoffice.browser();
    const shown = await browser.signIn(token);
    expect(shown.body).toEqual({
      person: { person_id: expect.any(String) as string, name: 'Ada Obi', email: 'ada.obi@example.com' },
      ...{ member_id, side: 'merchant', role: 'admin', passkeys: 0, stepped_up_until: null },
      merchant: { merchant_id: merchant.merchant_id, name: 'Marina Traders', mode: 'test' },
      signed_in_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      signed_in_by: 'link',
    });
    expect((await browser.get('/api/session')).body).toEqual(shown.body);
    expect(await backoffice.actsOf(member_id)).toEqual(['signed-in']);
  });

  it('gives a cookie that scripts do not see, that no other page sends, and of this host alone', async () => {
    const { token } = await newLink();
    const { headers } = await backoffice.browser().signIn(token);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
  });

  it('signs in once', async () => {
    const { token } = await newLink();
    await backoffice.browser().signIn(token);
    const again = backoffice.browser();
    expect(await again.post('/api/session/link', { token })).toMatchObject(LINK_NOT_VALID);
    expect(await again.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
  });

  it('signs in once where it is used ten times at once', async () => {
    const { token, member_id } = await newLink();
    const browsers = Array.from({ length: 10 }, () => backoffice.browser());
    const shown = await Promise.all(browsers.map((browser) => browser.post('/api/session/link', { token })));
    expect(shown.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
    expect(await backoffice.rows('SELECT FROM sessions WHERE member_id = $1', [member_id])).toHaveLength(1);
  });

  it('that has expired does not', async () => {
    const { token, invitation_id } = await newLink();
    await backoffice.rows(`UPDATE links SET expires_at = now() - interval '1 second' WHERE id = $1`, [invitation_id]);
    expect(await backoffice.browser().post('/api/session/link', { token })).toMatchObject(LINK_NOT_VALID);
  });

  it('for this machine does not from elsewhere, nor through a proxy', async () => {
    const { token } = await backoffice.invitations.linkForThisMachine(personOf('admin'), newMerchant(), 1);
    for (const address of ['198.51.100.7', '127.0.0.1', 'unknown'])
      expect(await backoffice.browser(address).post('/api/session/link', { token })).toMatchObject(LINK_NOT_VALID);
    expect((await backoffice.here().signIn(token)).status).toBe(200);
  });

  it.each(['', 'x', 'a'.repeat(43), "'; DROP TABLE links; --"])('that was never made (%j) does not', async (token) => {
    const { status } = await backoffice.browser().post('/api/session/link', { token });
    expect(status).toBe(token === '' ? 400 : 401);
  });

  it('of a member who was removed before its first use does not', async () => {
    const { token, member_id } = await newLink();
    await backoffice.rows(`UPDATE members SET status = 'removed' WHERE id = $1`, [member_id]);
    expect(await backoffice.browser().post('/api/session/link', { token })).toMatchObject(LINK_NOT_VALID);
  });
});

describe('a session', () => {
  const changed = (change: string, memberId: string) =>
    backoffice.rows(
      `ALTER TABLE sessions DISABLE TRIGGER USER; UPDATE sessions SET ${change} WHERE member_id = '${memberId}';
       ALTER TABLE sessions ENABLE TRIGGER USER`,
    );

  it('is over when it was not used for half an hour, and not before', async () => {
    const { browser, memberId } = await backoffice.member('viewer', newMerchant());
    await changed(`last_used_at = now() - interval '29 minutes'`, memberId);
    expect((await browser.get('/api/session')).status).toBe(200);
    await changed(`last_used_at = now() - interval '31 minutes'`, memberId);
    expect(await browser.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
  });

  it('is over after twelve hours, however much it is used', async () => {
    const { browser, memberId } = await backoffice.member('viewer', newMerchant());
    const [{ hours } = { hours: 0 }] = await backoffice.rows<{ hours: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::float / 3600 AS hours FROM sessions WHERE member_id = $1',
      [memberId],
    );
    expect(hours).toBeCloseTo(12, 2);
    await changed(`expires_at = now() - interval '1 second'`, memberId);
    expect(await browser.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
  });

  it('ends with a sign-out, also for a copy of the cookie', async () => {
    const { browser, memberId } = await backoffice.member('viewer', newMerchant());
    const copy = browser.stolenBy(backoffice.browser());
    expect((await browser.delete('/api/session')).status).toBe(204);
    expect(browser.cookie).toBeUndefined();
    expect(await copy.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in', 'signed-out']);
  });

  it('ends when its cookie comes from another family of addresses: it was stolen, or its person has moved', async () => {
    const { browser, memberId } = await backoffice.member('admin', newMerchant());
    const thief = browser.stolenBy(backoffice.browser('2001:db8::7'));
    expect(await thief.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
    expect(await browser.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
    expect(await thief.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in', 'session-refused']);
  });

  it('goes on from another address of the same family', async () => {
    const { browser } = await backoffice.member('admin', newMerchant());
    expect((await browser.stolenBy(backoffice.browser('203.0.113.9')).get('/api/session')).status).toBe(200);
  });

  it('is over at once when its member was removed', async () => {
    const merchant = newMerchant();
    const admin = await backoffice.member('admin', merchant);
    const { browser, memberId } = await backoffice.member('payer', merchant);
    expect((await browser.get('/api/session')).status).toBe(200);
    expect((await admin.browser.delete(`/api/members/${memberId}`)).status).toBe(204);
    expect(await browser.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
    expect(await backoffice.actsOf(admin.memberId)).toEqual(['signed-in', 'member-removed']);
  });

  it("of each browser of one person's ends with a sign-out everywhere, and no other person's", async () => {
    const merchant = newMerchant();
    const { token } = await backoffice.invitations.linkForThisMachine(personOf('viewer'), merchant, 1);
    const second = await backoffice.invitations.linkForThisMachine(personOf('viewer'), merchant, 1);
    const [one, other] = [backoffice.here(), backoffice.here()];
    await one.signIn(token);
    await other.signIn(second.token);
    const another = await backoffice.member('viewer', merchant);
    expect((await one.delete('/api/sessions')).status).toBe(204);
    expect(await other.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
    expect((await another.browser.get('/api/session')).status).toBe(200);
    const [act] = await backoffice.rows(
      `SELECT details FROM acts WHERE action = 'signed-out-everywhere' AND merchant_id = $1`,
      [merchant.merchant_id],
    );
    expect(act).toEqual({ details: { sessions: 2 } });
  });

  it('has no worth in a cookie of any other shape', async () => {
    const browser = backoffice.browser();
    for (const cookie of ['session=', 'session=x', `session=${'a'.repeat(43)}`, `__Host-session=${'a'.repeat(43)}`]) {
      browser.cookie = cookie;
      expect(await browser.get('/api/session')).toMatchObject(NOT_SIGNED_IN);
    }
  });
});

it('neither cookies, nor links, nor names are in the database', async () => {
  const { token } = await newLink();
  const browser = backoffice.browser();
  await browser.signIn(token);
  const tables = ['people', 'merchants', 'members', 'links', 'sessions', 'acts'];
  const rows: object[] = [];
  for (const table of tables) rows.push(...(await backoffice.rows(`SELECT ${table}::text FROM ${table}`)));
  const all = JSON.stringify(rows);
  expect(all.length).toBeGreaterThan(1_000);
  const cookie = browser.cookie?.split('=')[1] ?? '?';
  for (const secret of [token, cookie, 'Ada', 'ada.obi', 'Marina']) {
    expect(all).not.toContain(secret);
    expect(all).not.toContain(Buffer.from(secret).toString('hex'));
    expect(backoffice.service.output).not.toContain(secret);
  }
});

describe("the service's login", () => {
  const drawn = () => {
    const token = randomBytes(32).toString('base64url');
    return { token, hash: `'\\x${createHash('sha256').update(token).digest('hex')}'` };
  };
  const asBearer = (token: string) => {
    const browser = backoffice.browser();
    browser.cookie = `session=${token}`;
    return browser.get('/api/session');
  };

  it('writes a session of its own, for a moment: it signs in nobody', async () => {
    const { memberId } = await backoffice.member('admin', newMerchant());
    const { token, hash } = drawn();
    await backoffice.asService(`INSERT INTO sessions (id, token_hash, member_id, address_family, expires_at)
      VALUES (gen_random_uuid(), ${hash}, '${memberId}', 4, now() + interval '1 minute')`);
    expect(await asBearer(token)).toMatchObject(NOT_SIGNED_IN);
  });

  it('gives its own session, when that has gone, the member of another: it signs in nobody', async () => {
    const [{ browser, memberId }, other] = [
      await backoffice.member('viewer', newMerchant()),
      await backoffice.member('admin', newMerchant()),
    ];
    const token = browser.cookie?.split('=')[1] ?? '';
    const [row] = await backoffice
      .rows<{ id: string; expires_at: Date }>('DELETE FROM sessions WHERE member_id = $1 RETURNING id, expires_at', [
        memberId,
      ])
      .catch(() => []);
    expect(row).toBeUndefined();
    await backoffice.rows('ALTER TABLE sessions DISABLE TRIGGER sessions_stay');
    const [gone] = await backoffice.rows<{ id: string; token_hash: Buffer; expires_at: Date }>(
      'DELETE FROM sessions WHERE member_id = $1 RETURNING id, token_hash, expires_at',
      [memberId],
    );
    await backoffice.rows('ALTER TABLE sessions ENABLE TRIGGER sessions_stay');
    await backoffice.asService(`INSERT INTO sessions (id, token_hash, member_id, address_family, expires_at)
      VALUES ('${gone?.id}', '\\x${gone?.token_hash.toString('hex')}', '${other.memberId}', 4, '${gone?.expires_at.toISOString()}')`);
    expect(await asBearer(token)).toMatchObject(NOT_SIGNED_IN);
  });

  it('writes a link of its own: it signs in nobody', async () => {
    const { memberId } = await backoffice.member('admin', newMerchant());
    const { token, hash } = drawn();
    await backoffice.asService(`INSERT INTO links (id, token_hash, member_id, only_here, expires_at)
      VALUES (gen_random_uuid(), ${hash}, '${memberId}', false, now() + interval '1 minute')`);
    expect(await backoffice.browser().post('/api/session/link', { token })).toMatchObject(LINK_NOT_VALID);
  });
});
