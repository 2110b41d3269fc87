import { ATTEMPTS_MAX, DeliveryShares } from './delivery-shares';

const delivery = (merchant_id: string, endpoint_id: string) => ({ merchant_id, endpoint_id });

describe('the shares of deliveries', () => {
  it('leave no room while every place is taken', () => {
    const shares = new DeliveryShares();
    for (let count = 0; count < ATTEMPTS_MAX; count += 1) shares.begin(delivery(`merchant ${count}`, `at ${count}`));
    expect(shares.room()).toBeUndefined();
    shares.end(delivery('merchant 0', 'at 0'));
    expect(shares.room()?.total).toBe(1);
  });

  it('count what merchants and endpoints have under way, and forget those that have nothing', () => {
    const shares = new DeliveryShares();
    const [one, another] = [delivery('merchant', 'one'), delivery('merchant', 'another')];
    [one, one, another].forEach((begun) => shares.begin(begun));
    shares.end(another);
    const room = shares.room();
    expect([...(room?.ofMerchants ?? [])]).toEqual([['merchant', 2]]);
    expect([...(room?.ofEndpoints ?? [])]).toEqual([['one', 2]]);
  });

  it('leave one place to an endpoint that timed out, until it answers', () => {
    const shares = new DeliveryShares();
    const silent = delivery('merchant', 'silent');
    const left = () => {
      const room = shares.room();
      return (room?.perEndpoint ?? 0) - (room?.ofEndpoints.get('silent') ?? 0);
    };
    expect(left()).toBe(8);
    shares.didNotAnswer(silent);
    expect(left()).toBe(1);
    shares.begin(silent);
    expect(left()).toBe(0);
    expect(shares.answered(silent)).toBe(true);
    expect(left()).toBe(7);
    expect(shares.answered(silent)).toBe(false);
  });

  it('remember a bounded number of endpoints that timed out, the latest', () => {
    const shares = new DeliveryShares();
    for (let count = 0; count <= 1_000; count += 1) shares.didNotAnswer(delivery('merchant', `at ${count}`));
    expect(shares.answered(delivery('merchant', 'at 0'))).toBe(false);
    expect(shares.answered(delivery('merchant', 'at 1000'))).toBe(true);
  });

  it('look for more work once half of a share is free, and for a merchant whose only place has become free', () => {
    const shares = new DeliveryShares();
    const busy = delivery('busy', 'busy');
    for (let count = 0; count < 8; count += 1) shares.begin(busy);
    const looks = Array.from({ length: 8 }, () => shares.end(busy));
    expect(looks.map(Number)).toEqual([1, 0, 0, 0, 1, 0, 0, 0]);
    for (let count = 0; count < 60; count += 1) shares.begin(delivery(`merchant ${count}`, `at ${count}`));
    expect(shares.end(delivery('merchant 0', 'at 0'))).toBe(true);
  });
});
