import { isHttpUrl } from '@stablecoin/contracts/wire/fields/contact';
import { isCleanText } from '@stablecoin/contracts/wire/fields/text';
import { DOCUMENT_BYTES_MAX } from '@stablecoin/contracts/customer/document';

/** How files of each type begin. */
const MAGIC_BYTES: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'application/pdf': Buffer.from('%PDF-'),
};
const DATA_URI_HEAD = /^data:([a-z]+\/[a-z]+);base64,/;
/** Stands in the place of a document that was too large. */
export const TOO_LARGE = 'too large';
const HEAD_CHARACTERS_MAX = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const URL_CHARACTERS_MAX = 2_048;

/** The parts of a data URI; undefined for any other text. Its content is not checked. */
function dataUriOf(text: string): { mediaType: string; base64: string } | undefined {
  const head = DATA_URI_HEAD.exec(text.slice(0, HEAD_CHARACTERS_MAX));
  return head?.[1] === undefined ? undefined : { mediaType: head[1], base64: text.slice(head[0].length) };
}

/** Whether a document is too large; computed from the text's length, without decoding it. */
export function isTooLarge(text: string): boolean {
  if (text === TOO_LARGE) return true;
  const uri = dataUriOf(text);
  return uri !== undefined && decodedLength(uri.base64) > DOCUMENT_BYTES_MAX;
}

/** Whether a file begins as one of the kinds that are taken. */
export function isDocument(bytes: Buffer): boolean {
  return Object.values(MAGIC_BYTES).some((magic) => bytes.subarray(0, magic.length).equals(magic));
}

/** An https URL, or a data URI in strict base64 of a PNG, JPEG or PDF that begins as such a file does. */
export function isDocumentImage(text: string): boolean {
  const uri = dataUriOf(text);
  if (uri === undefined) return isCleanText(text, { min: 1, max: URL_CHARACTERS_MAX }) && isHttpUrl(text, true);
  const magic = MAGIC_BYTES[uri.mediaType];
  return magic !== undefined && isStrictBase64(uri.base64) && startsWith(uri.base64, magic);
}

/** The bytes of a data URI that `isDocumentImage` accepts; undefined for a URL. */
export function documentBytes(text: string): Buffer | undefined {
  const uri = dataUriOf(text);
  return uri && Buffer.from(uri.base64, 'base64');
}

/** Padded, and without spare bits, so that one document has one text. */
function isStrictBase64(base64: string): boolean {
  const last = base64.slice(-4);
  return base64.length % 4 === 0 && BASE64.test(base64) && Buffer.from(last, 'base64').toString('base64') === last;
}

function startsWith(base64: string, magic: Buffer): boolean {
  return Buffer.from(base64.slice(0, 16), 'base64').subarray(0, magic.length).equals(magic);
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
