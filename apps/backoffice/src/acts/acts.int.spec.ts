/** What people did, for who looks after them: whose acts, with which names, and nothing of others. */
import { ACTIONS } from '@stablecoin/people-store/act-record';
import { MERCHANT_ROLES, OPERATOR_ROLES, Role } from '@stablecoin/people-store/roles';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { newMerchant, RunningBackoffice, SignedIn } from '../testing/running-backoffice';

interface Person {
  member_id: string;
  name: string | null;
  is_you: boolean;
}
interface Act {
  number: number;
  action: string;
  by: Person | null;
  member: Person | null;
  details: Record<string, unknown>;
  reason: string | null;
}

let backoffice: RunningBackoffice;
beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
});
afterAll(() => backoffice.stop());

async function page({ browser }: SignedIn, query = ''): Promise<{ acts: Act[]; earlier: number | null }> {
  const { status, body } = await browser.get(`/api/acts${query}`);
  expect(status).toBe(200);
  return (body as { data: { acts: Act[]; earlier: number | null } }).data;
}
const actionsOf = (acts: readonly Act[]) => acts.map(({ action }) => action);
const isOfMerchant = (role: Role) => (MERCHANT_ROLES as readonly Role[]).includes(role);

it('an admin sees what members of the merchant did, newest first, by name, and what the operator did for it', async () => {
  const merchant = newMerchant();
  const [admin, payer] = [await backoffice.member('admin', merchant), await backoffice.member('payer', merchant)];
  await backoffice.member('admin', newMerchant());
  expect((await admin.browser.patch(`/api/members/${payer.memberId}`, { role: 'viewer' })).status).toBe(204);
  const { acts, earlier } = await page(admin);
  expect(actionsOf(acts)).toEqual(['role-changed', 'signed-in', 'member-invited', 'signed-in', 'member-invited']);
  expect(earlier).toBeNull();
  expect(acts[0]).toMatchObject({
    by: { member_id: admin.memberId, name: 'Ada Obi', is_you: true },
    member: { member_id: payer.memberId, name: 'Ada Obi', is_you: false },
    ...{ details: { from: 'payer', to: 'viewer' }, reason: null },
  });
  expect(acts.at(-1)).toMatchObject({ action: 'member-invited', by: null, member: { member_id: admin.memberId } });
});

it('goes on from page to page, and is narrowed to a person and to a kind', async () => {
  const merchant = newMerchant();
  const [admin, other] = [await backoffice.member('admin', merchant), await backoffice.member('viewer', merchant)];
  const all = (await page(admin)).acts;
  const first = await page(admin, '?limit=3');
  expect(first.acts).toEqual(all.slice(0, 3));
  const second = await page(admin, `?limit=3&before=${first.earlier}`);
  expect(second).toEqual({ acts: all.slice(3), earlier: null });
  expect(actionsOf((await page(admin, `?member_id=${other.memberId}`)).acts)).toEqual(['signed-in']);
  expect(actionsOf((await page(admin, '?kind=people')).acts)).toEqual(['member-invited', 'member-invited']);
  expect((await page(admin, `?kind=money&member_id=${randomUUID()}`)).acts).toEqual([]);
});

it.each(['kind=all', 'before=0', 'before=x', 'member_id=ada', 'limit=101', 'page=2'])(
  '%s is refused',
  async (query) => {
    const admin = await backoffice.member('admin', newMerchant());
    expect(await admin.browser.get(`/api/acts?${query}`)).toMatchObject({ status: 400 });
  },
);

describe('the operator’s people', () => {
  const REASON = 'case 17, asked by Planted Person';

  async function withReason(): Promise<SignedIn> {
    const person = await backoffice.memberWithPasskey('operations', null);
    // There is no chain service here: the act is on the record before it is asked.
    const asked = { network: 'erc20', from_block: 21_000_000, reason: REASON };
    expect((await person.browser.post('/api/treasury/rescan', asked)).status).toBe(503);
    return person;
  }
  const read = ({ acts }: { acts: Act[] }) => acts.find(({ action }) => action === 'rescan-asked');

  it('are seen by compliance officers, with names and reasons', async () => {
    const person = await withReason();
    const officer = await backoffice.member('compliance', null);
    expect(read(await page(officer, `?member_id=${person.memberId}`))).toMatchObject({
      by: { member_id: person.memberId, name: 'Ada Obi', is_you: false },
      reason: REASON,
    });
  });

  it('are seen by auditors, without a name or a reason', async () => {
    const person = await withReason();
    const auditor = await backoffice.member('auditor', null);
    expect(read(await page(auditor, `?member_id=${person.memberId}`))).toMatchObject({
      ...{ by: { member_id: person.memberId, name: null, is_you: false }, reason: null },
    });
    const { text } = await auditor.browser.get('/api/acts');
    for (const personal of ['Ada Obi', 'Planted Person', 'sealed_reason']) expect(text).not.toContain(personal);
  });

  it('see no acts of members', async () => {
    const admin = await backoffice.member('admin', newMerchant());
    const auditor = await backoffice.member('auditor', null);
    expect((await page(auditor, `?member_id=${admin.memberId}`)).acts).toEqual([]);
  });
});

const ALLOWED: readonly Role[] = ['admin', 'auditor', 'compliance'];
it.each([...MERCHANT_ROLES, ...OPERATOR_ROLES].filter((role) => !ALLOWED.includes(role)))(
  'a %s is refused',
  async (role) => {
    const { browser } = await backoffice.member(role, isOfMerchant(role) ? newMerchant() : null);
    expect(await browser.get('/api/acts')).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  },
);

it('each act that is recorded is one that the console knows', () => {
  const document = readFileSync('apps/console/interface.yaml', 'utf8');
  const [, list = ''] = /ActAction:\n\s+type: string\n\s+enum:\n((?:\s+- [a-z-]+\n)+)/.exec(document) ?? [];
  expect([...list.matchAll(/- ([a-z-]+)/g)].map(([, action]) => action)).toEqual(ACTIONS);
});
