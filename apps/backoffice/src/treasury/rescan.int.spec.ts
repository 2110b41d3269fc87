/** Who has blocks looked at again from the console, and what is on the record of it before the chain service is asked. */
import { Logger } from '@nestjs/common';
import { RescanRecent, rescanRecent } from '@stablecoin/contracts/chain/rescan-recent';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { MERCHANT_ROLES, OPERATOR_ROLES, Role } from '@stablecoin/people-store/roles';
import { type OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import type { NatsConnection } from 'nats';
import { newMerchant, RunningBackoffice } from '../testing/running-backoffice';

const BODY = { network: 'erc20', from_block: 21_000_000, reason: 'case 4711' };
const isOfMerchant = (role: Role) => (MERCHANT_ROLES as readonly Role[]).includes(role);
const OTHERS = [...OPERATOR_ROLES, ...MERCHANT_ROLES].filter((role) => role !== 'operations');

let broker: OwnNats;
let backoffice: RunningBackoffice;
let connection: NatsConnection;
/** What the chain service was asked, with how many acts were on the record then. */
let asked: { request: Plain<RescanRecent>; acts: number }[] = [];

const actsOf = () =>
  backoffice.rows<{ member_id: string; details: Record<string, unknown> }>(
    `SELECT member_id, details FROM acts WHERE action = 'rescan-asked' ORDER BY number`,
  );

beforeAll(async () => {
  Logger.overrideLogger(false);
  broker = await startOwnNats();
  backoffice = await RunningBackoffice.start({ NATS_URL: broker.url });
  connection = await connectToBus(broker.url, 'services', false);
});
beforeEach(() => (asked = []));
afterAll(async () => {
  await connection?.close();
  await backoffice?.stop();
  await broker?.stop();
});

const withPasskey = (role: Role) => backoffice.memberWithPasskey(role, isOfMerchant(role) ? newMerchant() : null);

it('that is asked for while the chain service is away is on the record, and refused', async () => {
  const { browser, memberId } = await withPasskey('operations');
  expect(await browser.post('/api/treasury/rescan', BODY)).toMatchObject({ status: 503 });
  expect(await actsOf()).toMatchObject([{ member_id: memberId, details: { from_block: 21_000_000 } }]);
});

describe('with a chain service', () => {
  beforeAll(async () => {
    const chain = new BusServer(connection, new SealedCodec(backoffice.busKey), 'chain');
    chain.serve(rescanRecent, async (request) => {
      asked.push({ request: { ...request }, acts: (await actsOf()).length });
      if (request.network === 'polygon') throw Refusal.ofField('network', 'not_walked', 'is not walked');
      const { network, from_block } = request;
      return { network, from_block };
    });
    await new Promise<void>((done, fail) => chain.listen((error) => (error ? fail(error) : done())));
  });

  it('is asked of it once the act is on the record, with its reason sealed', async () => {
    const { browser, memberId } = await withPasskey('operations');
    const before = (await actsOf()).length;
    const shown = await browser.post('/api/treasury/rescan', BODY);
    expect(shown).toMatchObject({ status: 200, body: { data: { network: 'erc20', from_block: 21_000_000 } } });
    expect(asked).toEqual([{ request: { network: 'erc20', from_block: 21_000_000 }, acts: before + 1 }]);
    const act = (await actsOf()).at(-1);
    expect(act).toEqual({
      member_id: memberId,
      details: { network: 'erc20', from_block: 21_000_000, sealed_reason: expect.any(String) as string },
    });
    expect(JSON.stringify(act)).not.toContain(BODY.reason);
  });

  it.each(OTHERS)('is refused to a %s, whose passkey was seen', async (role) => {
    const { browser } = await withPasskey(role);
    expect(await browser.post('/api/treasury/rescan', BODY)).toMatchObject({
      ...{ status: 403, body: { code: 'not_allowed' } },
    });
    expect(asked).toEqual([]);
  });

  it('is refused without a passkey, and where it was not seen lately', async () => {
    const without = await backoffice.member('operations', null);
    expect(await without.browser.post('/api/treasury/rescan', BODY)).toMatchObject({
      ...{ status: 409, body: { code: 'no_passkey_yet' } },
    });
    const { browser, memberId } = await withPasskey('operations');
    await backoffice.rows('UPDATE sessions SET stepped_up_until = now() WHERE member_id = $1', [memberId]);
    expect(await browser.post('/api/treasury/rescan', BODY)).toMatchObject({
      ...{ status: 403, body: { code: 'step_up_required' } },
    });
    expect(asked).toEqual([]);
  });

  it('is refused without a case, with a person in it, and from what is no block, before it is on the record', async () => {
    const { browser } = await withPasskey('operations');
    const before = (await actsOf()).length;
    for (const wrong of [
      ...[{ reason: '' }, { reason: 'ask ada@example.com' }, { from_block: -1 }, { from_block: '7' }],
      ...[{ from_block: 1.5 }, { network: 'none' }, { depth: 1 }],
    ])
      expect(await browser.post('/api/treasury/rescan', { ...BODY, ...wrong })).toMatchObject({
        ...{ status: 400, body: { code: 'validation_failed' } },
      });
    expect([(await actsOf()).length, asked]).toEqual([before, []]);
  });

  it('of a network that is not walked says so', async () => {
    const { browser } = await withPasskey('operations');
    expect(await browser.post('/api/treasury/rescan', { ...BODY, network: 'polygon' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ field: 'network', code: 'not_walked' }] },
    });
  });
});
