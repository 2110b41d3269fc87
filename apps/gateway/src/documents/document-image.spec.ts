import { documentBytes, isDocumentImage, isTooLarge } from './document-image';

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('rest')]);
const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const ofSize = (size: number) => uri('image/png', Buffer.concat([png, Buffer.alloc(size - png.length)]));

describe('document image', () => {
  it.each([
    ['a PNG', uri('image/png', png), true],
    ['a JPEG', uri('image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])), true],
    ['a PDF', uri('application/pdf', Buffer.from('%PDF-1.7')), true],
    ['an https URL', 'https://files.example.com/id.png', true],
    ['a PNG that says it is a PDF', uri('application/pdf', png), false],
    ['a type that is not taken', uri('image/gif', Buffer.from('GIF89a')), false],
    ['nothing', 'data:image/png;base64,', false],
    ['base64 without its padding', uri('image/png', png.subarray(0, 11)).replace(/=+$/, ''), false],
    ['base64 with a line feed', `${uri('image/png', png).slice(0, -4)}\n${uri('image/png', png).slice(-4)}`, false],
    [
      'base64url',
      uri('image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
        .replaceAll('/', '_')
        .replace('image_', 'image/'),
      false,
    ],
    ['spare bits that are set', 'data:image/jpeg;base64,/9j/4B==', false],
    ['an http URL', 'http://files.example.com/id.png', false],
    ['a host without a dot', 'https://localhost/id.png', false],
    ['a text', 'passport', false],
  ])('%s: %#', (_name, text, valid) => {
    expect(isDocumentImage(text)).toBe(valid);
  });

  it('takes 5 MiB and not a byte more', () => {
    expect(isTooLarge(ofSize(5 * 1024 * 1024))).toBe(false);
    expect(isTooLarge(ofSize(5 * 1024 * 1024 + 1))).toBe(true);
  });

  it('gives the bytes of a data URI, and none of a URL', () => {
    expect(documentBytes(uri('image/png', png))).toEqual(png);
    expect(documentBytes('https://files.example.com/id.png')).toBeUndefined();
  });
});
