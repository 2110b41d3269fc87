/** Bodies that cost more than they look. Each is built once, when its attack begins. */
import { individual } from '@stablecoin/testing/person';

/** Just below what routes of customers take. */
const GIANT_BYTES = 14_700_000;
const DOCUMENT_BYTES = 5_000_000;

const filled = (open: string, part: string, bytes: number, close: string): string => {
  const count = Math.floor((bytes - open.length - close.length) / (part.length + 1));
  return `${open}${`${part},`.repeat(count - 1)}${part}${close}`;
};

export const giantArrays = (): string => filled('[', '[]', GIANT_BYTES, ']');

export const giantNumbers = (): string => filled('[', '1', 2 * 7_000_000, ']');

/** Names that no request has, each another one. */
export const unknownNames = (count: number): string =>
  `{${Array.from({ length: count }, (_, number) => `"f${number.toString(36)}":1`).join(',')}}`;

/** Three documents that are each as large as one may be, nearly: a registration of 14 MB. */
export function honestRegistration(): () => string {
  const image = documentOf(Math.floor((GIANT_BYTES / 3) * (3 / 4)));
  const documents = ['front', 'back', 'selfie'].map((sub_type) => ({
    ...{ doc_type: 'valid_ids', sub_type, doc_country: 'NG' },
    doc_image: image,
  }));
  return () => JSON.stringify(individual({ documents }));
}

function documentOf(bytes: number): string {
  const content = Buffer.alloc(Math.min(bytes, DOCUMENT_BYTES), 0xa5);
  Buffer.from([0xff, 0xd8, 0xff]).copy(content);
  return `data:image/jpeg;base64,${content.toString('base64')}`;
}

const OWNERS = 50;
/** As many marks on one letter as a text may have, in an order that has to be sorted. */
const MARKED_LETTER = `a${'\u0301\u0323'.repeat(15)}`;

/** A business whose texts are as long, and as much work to compare, as a body of its route may hold. */
export function largestBusiness(): object {
  const { registered_address, email, phone } = individual();
  const worst = (length: number) => MARKED_LETTER.repeat(Math.ceil(length / MARKED_LETTER.length)).slice(0, length);
  const address = { ...registered_address, street1: worst(200), street2: worst(200), city: worst(100) };
  const owner = { first_name: worst(50), last_name: worst(50), title: worst(100), id_number: worst(100), address };
  return {
    ...{ business_name: worst(200), email, phone, nature_of_business: worst(1_000), registered_address: address },
    business_owners: Array.from({ length: OWNERS }, () => owner),
  };
}

export const FORM_BOUNDARY = `${'-'.repeat(60)}end`;
const FORM_HEAD = `--${FORM_BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-`;

/** A form whose file consists of what is nearly its boundary. */
export const nearlyBounded = (bytes = DOCUMENT_BYTES): string =>
  `${FORM_HEAD}${`\r\n--${FORM_BOUNDARY.slice(0, -1)}`.repeat(bytes / (FORM_BOUNDARY.length + 3))}\r\n--${FORM_BOUNDARY}--\r\n`;

export const smallestForm = (): string => `${FORM_HEAD}\r\n--${FORM_BOUNDARY}--\r\n`;
