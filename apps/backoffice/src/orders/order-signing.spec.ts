import { randomUUID } from 'node:crypto';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { readEvidence } from '@stablecoin/command-proofs/evidence';
import type { SwapOrder } from '@stablecoin/command-proofs/order';
import { isOrderSigned, orderHash } from '@stablecoin/command-proofs/order-signature';
import type { Orders } from '@stablecoin/people-store/orders';
import { PeopleSeal } from '@stablecoin/people-store/people-seal';
import type { Session } from '@stablecoin/people-store/sessions';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import type { MerchantMember } from '../commands/merchant-member';
import type { DeviceAnswer } from '../passkeys/device-answer';
import type { PasskeySignatures } from '../passkeys/passkey-signatures';
import { OrderSigning } from './order-signing';

const device = SoftwareDevice.at('https://console.example');
const ANSWER = {} as DeviceAnswer;

const memberOf = (): MerchantMember => ({
  session: { person_id: randomUUID(), member_id: randomUUID() } as Session,
  merchant: { merchant_id: randomUUID(), mode: 'test', shard: 0, seesPersonalData: true },
});

/** With a passkey that signs whatever it is asked for. @param isTrusted whether it is trusted */
function signingWith({ isTrusted = true, key = Buffer.alloc(32, 1) } = {}) {
  const acts: string[] = [];
  const signatures = {
    optionsFor: (challenge: string) => Promise.resolve({ challenge }),
    over: (challenge: string) =>
      Promise.resolve({ use: {}, signed: device.signs(Buffer.from(challenge, 'base64url')) }),
  } as unknown as PasskeySignatures;
  const orders = {
    record: (_use: unknown, { action }: { action: string }) => {
      acts.push(action);
      return Promise.resolve(isTrusted);
    },
  } as unknown as Orders;
  const secret = new CallerSecret('backoffice', Buffer.alloc(32, 2));
  return { acts, signing: new OrderSigning(new PeopleSeal(key), signatures, orders, secret) };
}

function orderOf(signing: OrderSigning, member: MerchantMember): SwapOrder {
  const swap = { swap_id: randomUUID(), from_currency: 'USD', to_currency: 'NGN', price: '1500' };
  const amounts = { from_amount: '1.00000000', to_amount: '1500.00000000' };
  return { type: 'swap-order', ...signing.terms(member), customer_id: null, ...swap, ...amounts };
}

const take = (signing: OrderSigning, sealed: string, member: MerchantMember, type: SwapOrder['type'] = 'swap-order') =>
  signing.taken(type, sealed, ANSWER, () => ({ action: 'swap-ordered', details: {} }), member);

describe('an order', () => {
  const { signing, acts } = signingWith();
  const member = memberOf();
  beforeEach(() => (acts.length = 0));
  afterEach(() => jest.useRealTimers());

  it('is asked for as it was shown, with what the passkey has signed', async () => {
    const order = orderOf(signing, member);
    const { hash, options, ...shown } = await signing.issue({ order, command: { amount: '1' } }, member);
    expect(options).toEqual({ challenge: Buffer.from(hash, 'hex').toString('base64url') });
    const taken = await take(signing, shown.order, member);
    expect(taken).toMatchObject({ order, command: { amount: '1' }, input_hash: orderHash(order).toString('hex') });
    const stated = readEvidence('swap-order', taken.evidence.text);
    expect(stated && isOrderSigned(stated)).toBe(true);
    expect(acts).toEqual(['swap-ordered']);
  });

  it('has a command id of its own', () => {
    expect(orderOf(signing, member).command_id).not.toBe(orderOf(signing, member).command_id);
  });

  it('counts for three minutes', async () => {
    const { order } = await signing.issue({ order: orderOf(signing, member), command: {} }, member);
    jest.useFakeTimers({ now: Date.now() + 179_000, doNotFake: ['nextTick', 'setImmediate'] });
    await take(signing, order, member);
    jest.useFakeTimers({ now: Date.now() + 2_000, doNotFake: ['nextTick', 'setImmediate'] });
    await expect(take(signing, order, member)).rejects.toMatchObject({ code: 'order_over' });
    expect(acts).toHaveLength(1);
  });

  it('is that of its person and membership', async () => {
    const { order } = await signing.issue({ order: orderOf(signing, member), command: {} }, member);
    await expect(take(signing, order, memberOf())).rejects.toMatchObject({ code: 'validation_failed' });
    const { session, merchant } = member;
    const elsewhere = { merchant, session: { ...session, member_id: randomUUID() } };
    await expect(take(signing, order, elsewhere)).rejects.toMatchObject({ code: 'order_over' });
  });

  it('is of its kind, and sealed by this service', async () => {
    const { order } = await signing.issue({ order: orderOf(signing, member), command: {} }, member);
    const asPayout = signing.taken(
      'payout-order',
      order,
      ANSWER,
      () => ({ action: 'payout-ordered', details: {} }),
      member,
    );
    await expect(asPayout).rejects.toMatchObject({ code: 'validation_failed' });
    const other = signingWith({ key: Buffer.alloc(32, 9) }).signing;
    await expect(take(other, order, member)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('is none where the passkey is not to be trusted', async () => {
    const untrusted = signingWith({ isTrusted: false }).signing;
    const { order } = await untrusted.issue({ order: orderOf(untrusted, member), command: {} }, member);
    await expect(take(untrusted, order, member)).rejects.toMatchObject({ code: 'passkey_refused' });
  });
});
