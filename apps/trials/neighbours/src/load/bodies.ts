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
