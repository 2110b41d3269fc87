import { anotherKey, Asked, CraftedProvider, Lie } from '../testing/crafted-provider';
import { newMerchant, personOf, RunningBackoffice } from '../testing/running-backoffice';

const ISSUED_LONG_AGO = { iat: 1_000, exp: 1_060 };

let provider: CraftedProvider;
let backoffice: RunningBackoffice;

beforeAll(async () => {
  provider = await CraftedProvider.start();
  backoffice = await RunningBackoffice.start(provider.settings);
});
afterAll(async () => {
  await backoffice?.stop();
  await provider?.stop();
});

let tabs = 0;

/** A browser, of an address of its own, that keeps each cookie by its name and goes nowhere by itself. */
class Tab {
  readonly cookies = new Map<string, string>();
  readonly address = `198.51.${(tabs += 1) >> 8}.${tabs & 255}`;

  async ask(path: string, method = 'GET', body?: object) {
    const response = await fetch(`${backoffice.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...{ cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '), 'x-forwarded-for': this.address },
        ...(method !== 'GET' && { origin: backoffice.url }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (set.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    const read = () => JSON.parse(text) as Record<string, unknown>;
    return { status: response.status, to: response.headers.get('location'), headers: response.headers, text, read };
  }

  /** Where the sign-in's button leads. */
  async leave(): Promise<Asked> {
    return askedIn((await this.ask('/api/session/oidc')).to ?? '');
  }

  /** @returns where the browser goes next */
  async comeBack(query: URLSearchParams): Promise<string> {
    const { status, to } = await this.ask(`/api/session/oidc/callback?${query.toString()}`);
    expect(status).toBe(303);
    return to ?? '';
  }

  /** The whole way, with an account there. @returns where it ends */
  async signIn(subject: string, lie: Lie = {}): Promise<string> {
    return this.comeBack(provider.vouchFor(subject, await this.leave(), lie));
  }

  async connect(subject: string): Promise<string> {
    const { url } = (await this.ask('/api/identity/connection', 'POST', {})).read() as { url: string };
    return this.comeBack(provider.vouchFor(subject, askedIn(url)));
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.ask('/api/session')).status === 200;
  }
}

const askedIn = (url: string): Asked => Object.fromEntries(new URL(url).searchParams) as unknown as Asked;

/** Who was invited, and opened the link. */
async function invited(merchant = newMerchant(), person = personOf('admin')) {
  const { token, member_id: memberId } = await backoffice.invitations.inviteAs(person, merchant);
  const tab = new Tab();
  expect((await tab.ask('/api/session/link', 'POST', { token })).status).toBe(200);
  return { tab, memberId };
}

let count = 0;
/** The same, with an account at the provider. */
async function connected() {
  const subject = `person-${(count += 1)}`;
  const { tab, memberId } = await invited();
  expect(await tab.connect(subject)).toBe('/account');
  return { tab, memberId, subject };
}

it('the sign-in page can say that there is a provider, and what it is called', async () => {
  expect((await new Tab().ask('/api/sign-in-ways')).read()).toEqual({ passkey: true, oidc: { name: 'Marina ID' } });
});

describe('an account that a member has connected', () => {
  it('signs in, says how, and every step is on the record', async () => {
    const { subject, memberId } = await connected();
    const tab = new Tab();
    expect(await tab.signIn(subject)).toBe('/');
    const session = (await tab.ask('/api/session')).read();
    expect(session).toMatchObject({ role: 'admin', signed_in_by: 'oidc', stepped_up_until: null });
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in', 'identity-connected', 'signed-in']);
    const [act] = await backoffice.rows<{ details: object }>(
      'SELECT details FROM acts WHERE member_id = $1 ORDER BY number DESC LIMIT 1',
      [memberId],
    );
    expect(act?.details).toMatchObject({ way: 'oidc', identity_id: expect.any(String) as string });
  });

  it('is asked for nothing but who it is, by PKCE, and comes back to the console’s own address', async () => {
    const asked = await new Tab().leave();
    expect(asked).toMatchObject({
      ...{ scope: 'openid', response_type: 'code', code_challenge_method: 'S256' },
      redirect_uri: `${backoffice.url}/api/session/oidc/callback`,
    });
  });

  it('does not once its member was removed', async () => {
    const { subject, memberId } = await connected();
    await backoffice.rows(`UPDATE members SET status = 'removed' WHERE id = $1`, [memberId]);
    expect(await new Tab().signIn(subject)).toBe('/sign-in?provider=not_connected');
  });

  it('does not once its person has disconnected it', async () => {
    const { tab, subject, memberId } = await connected();
    expect((await tab.ask('/api/identity')).read()).toMatchObject({ identity: { last_used_at: null } });
    expect((await tab.ask('/api/identity', 'DELETE')).status).toBe(204);
    expect((await tab.ask('/api/identity')).read()).toEqual({ identity: null });
    expect((await tab.ask('/api/identity', 'DELETE')).status).toBe(404);
    expect(await new Tab().signIn(subject)).toBe('/sign-in?provider=not_connected');
    expect((await backoffice.actsOf(memberId)).at(-1)).toBe('identity-removed');
  });

  it('is no other member’s at the same time, and can be of one who was invited anew', async () => {
    const { subject, memberId } = await connected();
    const other = await invited();
    expect(await other.tab.connect(subject)).toBe('/account?provider=of_another');
    await backoffice.rows(`UPDATE members SET status = 'removed' WHERE id = $1`, [memberId]);
    expect(await other.tab.connect(subject)).toBe('/account');
    const tab = new Tab();
    expect(await tab.signIn(subject)).toBe('/');
  });

  it('can be replaced by another one of the same person', async () => {
    const { tab, subject } = await connected();
    expect(await tab.connect('another-of-mine')).toBe('/account');
    expect(await new Tab().signIn(subject)).toBe('/sign-in?provider=not_connected');
    expect(await new Tab().signIn('another-of-mine')).toBe('/');
  });

  it('ends with a sign-out everywhere like every session', async () => {
    const { tab, subject } = await connected();
    const other = new Tab();
    await other.signIn(subject);
    expect((await tab.ask('/api/sessions', 'DELETE')).status).toBe(204);
    expect(await other.isSignedIn()).toBe(false);
  });
});

describe('a person is found only among invited members', () => {
  it('who was never invited does not come in', async () => {
    const tab = new Tab();
    expect(await tab.signIn('a-stranger')).toBe('/sign-in?provider=not_connected');
    expect(await tab.isSignedIn()).toBe(false);
    expect(await backoffice.rows(`SELECT FROM identities WHERE person_id IS NULL`)).toEqual([]);
  });

  it.each([true, false])('not by the address of an open invitation (email_verified: %s)', async (email_verified) => {
    const person = { ...personOf('admin'), email: 'open@example.com' };
    await backoffice.invitations.inviteAs(person, newMerchant());
    const tab = new Tab();
    const claims = { email: person.email, email_verified };
    expect(await tab.signIn(`by-address-${email_verified}`, { claims })).toBe('/sign-in?provider=not_connected');
    expect(await tab.isSignedIn()).toBe(false);
  });
});

describe('what proves nothing begins no session', () => {
  const LIES: [string, Lie | (() => Lie)][] = [
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another audience', { claims: { aud: 'another-client' } }],
    ['an audience beside ours', { claims: { aud: ['console-of-a-test', 'another'], azp: 'console-of-a-test' } }],
    ['another authorized party', { claims: { azp: 'another-client' } }],
    ['another issuer', { claims: { iss: 'http://127.0.0.1:1' } }],
    ['an expired token', { claims: ISSUED_LONG_AGO }],
    ['a token from 30 seconds ago', { claims: { exp: Math.floor(Date.now() / 1_000) - 30 } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a subject of any length', { claims: { sub: 'x'.repeat(300) } }],
    ['another key', () => ({ key: anotherKey() })],
    ['a key that it does not show', { header: { kid: 'two' } }],
    [
      'a key that stands in the token',
      () => ({ header: { jwk: anotherKey().export({ format: 'jwk' }) }, key: anotherKey() }),
    ],
    ['no signature', { header: { alg: 'none' }, token: (header, payload) => `${header}.${payload}.` }],
    ['alg none with a signature', { header: { alg: 'none' } }],
    ['a key of a symmetric algorithm', { header: { alg: 'HS256' } }],
    ['half a signature', { token: (header, payload, signature) => `${header}.${payload}.${signature.slice(0, 40)}` }],
    [
      'another payload than was signed',
      {
        token: (header, payload, signature) =>
          `${header}.${Buffer.from(Buffer.from(payload, 'base64url').toString().replace('x', 'y')).toString('base64url')}.${signature}`,
      },
    ],
    ['no token', { token: () => '' }],
  ];

  it.each(LIES)('%s', async (name, lie) => {
    const { subject, memberId } = await connected();
    const tab = new Tab();
    const to = await tab.signIn(subject, typeof lie === 'function' ? lie() : lie);
    expect(to).toBe('/sign-in?provider=failed');
    expect(await tab.isSignedIn()).toBe(false);
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in', 'identity-connected']);
    expect(name).not.toBe('');
  });

  it('another state, or none', async () => {
    const { subject } = await connected();
    for (const state of ['forged', undefined]) {
      const tab = new Tab();
      const query = provider.vouchFor(subject, await tab.leave());
      if (state === undefined) query.delete('state');
      else query.set('state', state);
      expect(await tab.comeBack(query)).toBe('/sign-in?provider=failed');
      expect(await tab.isSignedIn()).toBe(false);
    }
  });

  it('another issuer in the address, none, or two', async () => {
    const { subject } = await connected();
    for (const change of [
      (query: URLSearchParams) => query.set('iss', 'https://id.example.com'),
      (query: URLSearchParams) => query.delete('iss'),
      (query: URLSearchParams) => query.append('iss', 'https://id.example.com'),
    ]) {
      const tab = new Tab();
      const query = provider.vouchFor(subject, await tab.leave());
      change(query);
      expect(await tab.comeBack(query)).toBe('/sign-in?provider=failed');
    }
  });

  it('the way of another browser: an address that a person was sent signs in no one', async () => {
    const { subject } = await connected();
    const [attacker, victim] = [new Tab(), new Tab()];
    const query = provider.vouchFor(subject, await attacker.leave());
    expect(await victim.comeBack(query)).toBe('/sign-in?provider=failed');
    await victim.leave();
    expect(await victim.comeBack(query)).toBe('/sign-in?provider=failed');
    expect(await victim.isSignedIn()).toBe(false);
  });

  it('a code that was used, a way that was gone, and one after ten minutes', async () => {
    const { subject } = await connected();
    const tab = new Tab();
    const query = provider.vouchFor(subject, await tab.leave());
    const cookie = tab.cookies.get('oidc') ?? '';
    expect(await tab.comeBack(query)).toBe('/');
    const again = new Tab();
    again.cookies.set('oidc', cookie);
    expect(await again.comeBack(query)).toBe('/sign-in?provider=failed');
    const other = new Tab();
    const replayed = provider.vouchFor(subject, await other.leave());
    replayed.set('code', query.get('code') ?? '');
    expect(await other.comeBack(replayed)).toBe('/sign-in?provider=failed');
    const late = new Tab();
    const lateQuery = provider.vouchFor(subject, await late.leave());
    await backoffice.rows(
      `ALTER TABLE challenges DISABLE TRIGGER USER;
       UPDATE challenges SET expires_at = now() - interval '1 second' WHERE purpose = 'oidc-sign-in';
       ALTER TABLE challenges ENABLE TRIGGER USER`,
    );
    expect(await late.comeBack(lateQuery)).toBe('/sign-in?provider=failed');
  });

  it('one way back, ten times at once: one session', async () => {
    const { subject, memberId } = await connected();
    const tab = new Tab();
    const query = provider.vouchFor(subject, await tab.leave());
    const cookie = tab.cookies.get('oidc') ?? '';
    const copies = Array.from({ length: 10 }, () => new Tab());
    for (const one of copies) one.cookies.set('oidc', cookie);
    const ends = await Promise.all(copies.map((one) => one.comeBack(query)));
    expect(ends.filter((to) => to === '/')).toHaveLength(1);
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in', 'identity-connected', 'signed-in']);
  });

  it('what the provider refused: the person is back at the sign-in', async () => {
    const tab = new Tab();
    const { state } = await tab.leave();
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    expect(await tab.comeBack(query)).toBe('/sign-in?provider=failed');
  });
});

describe('a session', () => {
  it('is drawn at the sign-in: a cookie that was there before is not it', async () => {
    const { subject } = await connected();
    const tab = new Tab();
    const planted = 'a'.repeat(43);
    tab.cookies.set('session', planted);
    expect(await tab.signIn(subject)).toBe('/');
    expect(tab.cookies.get('session')).not.toBe(planted);
    const attacker = new Tab();
    attacker.cookies.set('session', planted);
    expect(await attacker.isSignedIn()).toBe(false);
  });

  it('leaves nothing of the way in the browser, and no script sees either cookie', async () => {
    const { subject } = await connected();
    const tab = new Tab();
    const left = await tab.ask('/api/session/oidc');
    expect(left.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^oidc=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    await tab.comeBack(provider.vouchFor(subject, askedIn(left.to ?? '')));
    expect([...tab.cookies.keys()]).toEqual(['session']);
  });

  it('of an account with a passkey shows it for what needs one', async () => {
    const { tab, memberId } = await connected();
    await backoffice.rows(
      `INSERT INTO passkeys (id, person_id, credential_id, public_key, uses, transports, sealed_name)
       SELECT gen_random_uuid(), person_id, '\\x01', '\\x01', 0, '{}', '' FROM members WHERE id = $1`,
      [memberId],
    );
    for (const [path, method] of [
      ['/api/identity/connection', 'POST'],
      ['/api/identity', 'DELETE'],
      ['/api/passkeys/options', 'POST'],
    ] as const)
      expect((await tab.ask(path, method, {})).read()).toMatchObject({ code: 'step_up_required' });
  });
});

describe('an account is connected within the session that asked', () => {
  it('and not once that is over', async () => {
    const { tab } = await invited();
    const { url } = (await tab.ask('/api/identity/connection', 'POST', {})).read() as { url: string };
    const query = provider.vouchFor('too-late', askedIn(url));
    await tab.ask('/api/session', 'DELETE');
    expect(await tab.comeBack(query)).toBe('/sign-in?provider=session_over');
    expect(await new Tab().signIn('too-late')).toBe('/sign-in?provider=not_connected');
  });

  it('and with no cookie that names another one', async () => {
    const [mine, theirs] = [await invited(), await invited()];
    const { url } = (await mine.tab.ask('/api/identity/connection', 'POST', {})).read() as { url: string };
    const query = provider.vouchFor('mine', askedIn(url));
    const [session] = await backoffice.rows<{ id: string }>('SELECT id FROM sessions WHERE member_id = $1', [
      theirs.memberId,
    ]);
    const [token = ''] = mine.tab.cookies.get('oidc')?.split('.') ?? [];
    mine.tab.cookies.set('oidc', `${token}.${session?.id}`);
    expect(await mine.tab.comeBack(query)).toBe('/sign-in?provider=failed');
  });

  it('by no one who is not signed in, and by no page of another site', async () => {
    expect((await new Tab().ask('/api/identity/connection', 'POST', {})).status).toBe(401);
    const { tab } = await invited();
    const response = await fetch(`${backoffice.url}/api/identity/connection`, {
      method: 'POST',
      headers: {
        ...{ cookie: `session=${tab.cookies.get('session')}`, origin: 'https://evil.example' },
        ...{ 'content-type': 'application/json', 'x-forwarded-for': tab.address },
      },
      body: '{}',
    });
    expect(response.status).toBe(403);
  });
});

describe("the service's login alone", () => {
  it('ties no account to a person, nor a way to a session', async () => {
    const [attacker, victim] = [await connected(), await invited()];
    await attacker.tab.ask('/api/identity', 'DELETE');
    await backoffice.asService(`INSERT INTO identities (id, person_id, account_hash)
      SELECT gen_random_uuid(), (SELECT person_id FROM members WHERE id = '${victim.memberId}'), account_hash
      FROM identities WHERE person_id = (SELECT person_id FROM members WHERE id = '${attacker.memberId}')`);
    expect(await new Tab().signIn(attacker.subject)).toBe('/sign-in?provider=not_connected');
  });

  it.each(['person_id = gen_random_uuid()', `account_hash = '\\x01'`])('changes no account (%s)', async (change) => {
    await expect(backoffice.asService(`UPDATE identities SET ${change}`)).rejects.toThrow('permission denied');
  });
});

describe('no address to go on to is taken', () => {
  it.each(['return_to=https://evil.example', 'redirect=//evil.example', 'next=/%5Cevil.example'])(
    '%s',
    async (query) => {
      const { status, to } = await new Tab().ask(`/api/session/oidc?${query}`);
      expect({ status, to }).toEqual({ status: 400, to: null });
      const { subject } = await connected();
      const tab = new Tab();
      const back = provider.vouchFor(subject, await tab.leave());
      expect(await tab.comeBack(new URLSearchParams(`${back.toString()}&${query}`))).toBe('/');
    },
  );
});

it('neither codes, subjects nor secrets are in the database or the log', async () => {
  const { subject } = await connected();
  const tab = new Tab();
  const asked = await tab.leave();
  const cookie = tab.cookies.get('oidc') ?? '?';
  const query = provider.vouchFor(subject, asked);
  await tab.comeBack(query);
  const rows: object[] = [];
  for (const table of ['identities', 'challenges', 'sessions', 'acts'])
    rows.push(...(await backoffice.rows(`SELECT ${table}::text FROM ${table}`)));
  const all = JSON.stringify(rows);
  const secrets = [
    cookie,
    query.get('code') ?? '?',
    asked.state,
    asked.nonce,
    provider.settings['OIDC_CLIENT_SECRET'] ?? '?',
  ];
  for (const secret of [...secrets, subject]) {
    expect(all).not.toContain(secret);
    expect(backoffice.service.output).not.toContain(secret);
  }
});

describe('a provider that does not answer', () => {
  let away: CraftedProvider;
  let other: RunningBackoffice;

  beforeAll(async () => {
    away = await CraftedProvider.start();
    away.hangs = true;
    other = await RunningBackoffice.start(away.settings);
  });
  afterAll(async () => {
    await other?.stop();
    await away?.stop();
  });

  it('is said at the sign-in within seconds; links and passkeys go on', async () => {
    const before = performance.now();
    const shown = await other.browser().get('/api/session/oidc');
    expect(shown.headers.get('location')).toBe('/sign-in?provider=away');
    expect(performance.now() - before).toBeLessThan(6_000);
    const { browser } = await other.member('viewer', newMerchant());
    expect((await browser.get('/api/session')).status).toBe(200);
    expect((await browser.post('/api/session/passkey/options')).status).toBe(200);
    expect((await browser.post('/api/identity/connection', {})).body).toMatchObject({ code: 'provider_away' });
  });

  it('is asked again by the next one: it is back', async () => {
    away.hangs = false;
    const shown = await other.browser().get('/api/session/oidc');
    expect(shown.headers.get('location')).toContain(`${away.issuer}/authorize?`);
  });
});

it('a provider that goes away meanwhile is said at the sign-in as well', async () => {
  const { subject } = await connected();
  const tab = new Tab();
  const query = provider.vouchFor(subject, await tab.leave());
  provider.hangs = true;
  try {
    expect(await tab.comeBack(query)).toBe('/sign-in?provider=away');
  } finally {
    provider.hangs = false;
  }
});

describe('without a provider', () => {
  let other: RunningBackoffice;

  beforeAll(async () => {
    other = await RunningBackoffice.start();
  });
  afterAll(() => other?.stop());

  it('there is no button, and no way', async () => {
    expect((await other.browser().get('/api/sign-in-ways')).body).toEqual({ passkey: true, oidc: null });
    const { headers } = await other.browser().get('/api/session/oidc');
    expect(headers.get('location')).toBe('/sign-in?provider=away');
    const { browser } = await other.member('viewer', newMerchant());
    expect((await browser.post('/api/identity/connection', {})).body).toMatchObject({ code: 'no_provider' });
  });
});
