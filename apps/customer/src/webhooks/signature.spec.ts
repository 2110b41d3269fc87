import { drawSecret, signaturesOf } from './signature';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const KNOWN = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

describe('signature of a webhook', () => {
  it('is the one that the reference implementations of Standard Webhooks are tested with', () => {
    expect(signaturesOf(MESSAGE, [SECRET])).toBe(KNOWN);
  });

  it('is given once per secret, in their order', () => {
    const [first, second] = signaturesOf(MESSAGE, [drawSecret(), SECRET]).split(' ');
    expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(first).not.toBe(KNOWN);
    expect(second).toBe(KNOWN);
  });

  it('uses secrets of 32 random bytes', () => {
    expect(drawSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(drawSecret()).not.toBe(drawSecret());
  });
});
