import { parseKey } from './parse-key';

const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i));
const text = bytes.toString('base64');

describe('parseKey', () => {
  it.each([
    ['base64', text],
    ['base64 without padding', text.replace(/=+$/, '')],
    ['base64url', bytes.toString('base64url')],
  ])('reads %s of 32 bytes', (_form, written) => {
    expect(parseKey(written)).toEqual(bytes);
  });

  it.each([
    ['nothing', ''],
    ['31 bytes', Buffer.alloc(31).toString('base64')],
    ['33 bytes', Buffer.alloc(33).toString('base64')],
    ['hex of 32 bytes', bytes.toString('hex')],
    ['a foreign character that the decoder would skip', `${text.slice(0, 10)}*${text.slice(10)}`],
    ['a line break', `${text}\n`],
    ['surrounding space', ` ${text}`],
  ])('refuses %s, without repeating it', (_case, written) => {
    expect(() => parseKey(written)).toThrow(
      /^A key must be base64 of exactly 32 bytes \(make one with: openssl rand -base64 32\)$/,
    );
  });
});
