import { challengeIs } from './challenge';

const HASH = 'fb0b8d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
const challenge = Buffer.from(HASH, 'hex').toString('base64url');

describe('the challenge of an approval', () => {
  it('is the hash that the person was shown', () => expect(challengeIs(challenge, HASH)).toBe(true));

  it.each([
    ['another hash', Buffer.alloc(32, 1).toString('base64url'), HASH],
    ['a longer one', Buffer.from(`${HASH}00`, 'hex').toString('base64url'), HASH],
    ['nothing', '', HASH],
    ['no text', 42, HASH],
    ['nothing for no hash', '', ''],
    ['a hash in another spelling', challenge, HASH.toUpperCase()],
  ])('is not %s', (_name, other, hash) => expect(challengeIs(other, hash)).toBe(false));
});
