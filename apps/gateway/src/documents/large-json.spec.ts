import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { DOCUMENTS_JSON_BOUNDS, parseJsonBody } from '@stablecoin/http-answers/json-body';
import { canonicalJson } from '../idempotency/canonical-json';
import { documentBytes, isDocumentImage, isTooLarge } from './document-image';
import { LargeJsonContent, readLargeJson } from './large-json';

const KEY = randomBytes(32);
const MIB = 1024 * 1024;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const uri = (content: Buffer) => `data:image/png;base64,${content.toString('base64')}`;
const png = (bytes: number) => Buffer.concat([PNG, randomBytes(bytes - PNG.length)]);
const read = (value: unknown) => readLargeJson(Buffer.from(JSON.stringify(value)), KEY);
const image = (text: string) => ({ doc_type: 'valid_ids', doc_image: text });
const imagesOf = ({ body }: LargeJsonContent) =>
  (body as { documents: { doc_image: string }[] }).documents.map(({ doc_image }) => doc_image);

function refusalOf(bytes: Buffer | string): unknown {
  try {
    readLargeJson(Buffer.from(bytes), KEY);
    return 'read';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.fields?.[0]?.code ?? error.code;
  }
}

describe('a large body', () => {
  it('loses its documents, wherever they are, to stand-ins that pass the checks of documents', () => {
    const contents = [png(2 * MIB), png(100), png(300_000)] as const;
    const [one, two, three] = contents.map((content) => image(uri(content)));
    const owners = [{ first_name: 'Ada', supporting_documents: [three] }];
    const { body, documents } = read({ first_name: 'Ada', documents: [one, two], business_owners: owners });
    expect(
      documents.map(({ bytes }) =>
        Buffer.from(bytes).equals(contents[documents.findIndex((d) => d.bytes === bytes)] ?? PNG),
      ),
    ).toEqual([true, true, true]);
    expect(documents.map(({ sha256 }) => sha256)).toEqual(
      contents.map((content) => createHash('sha256').update(content).digest('hex')),
    );
    const standIns = documents.map(({ standIn }) => standIn);
    expect(new Set(standIns).size).toBe(3);
    expect(
      standIns.map((standIn) => [isDocumentImage(standIn), isTooLarge(standIn), documentBytes(standIn)?.length]),
    ).toEqual(Array(3).fill([true, false, 24]));
    expect(body).toEqual({
      first_name: 'Ada',
      documents: [image(standIns[0] ?? ''), image(standIns[1] ?? '')],
      business_owners: [{ first_name: 'Ada', supporting_documents: [image(standIns[2] ?? '')] }],
    });
  });

  it('keeps what the validation refuses refused, and links as they are', () => {
    const wrong = [uri(png(5 * MIB + 1)), uri(PNG).slice(0, -1), 'http://a.example.com', 'data:image/png;base64,AAAA'];
    const link = 'https://files.example.com/passport.png';
    const content = read({ padding: 'x'.repeat(MIB), documents: [...wrong, link].map(image) });
    expect(content.documents).toEqual([]);
    const found = imagesOf(content);
    expect(found.map(isTooLarge)).toEqual([true, false, false, false, false]);
    expect(found.map((text) => !isTooLarge(text) && isDocumentImage(text))).toEqual([false, false, false, false, true]);
    expect((content.body as { padding: string }).padding.length).toBeLessThan(17_000);
  });

  it('has the input hash that it always had', () => {
    const value = { b: 1.0, a: 'é', documents: [image(uri(png(200_000)))], c: { z: null, y: [true, 1e2] } };
    const expected = createHmac('sha256', KEY).update(
      canonicalJson(parseJsonBody(Buffer.from(JSON.stringify(value)), DOCUMENTS_JSON_BOUNDS)),
    );
    expect(read(value).inputHash).toBe(expected.digest('hex'));
  });

  it.each<[string, Buffer | string, string]>([
    ['lists in a list', `[${'[],'.repeat(5 * MIB)}[]]`, 'too_many_values'],
    ['numbers', `[${'1,'.repeat(7 * MIB)}1]`, 'too_many_values'],
    ['unknown names', `{${'"a":1,'.repeat(MIB)}"a":1}`, 'too_many_values'],
    ['nesting', '['.repeat(15 * MIB), 'too_many_values'],
    ['some nesting', `${'['.repeat(2_000)}${' '.repeat(MIB)}${']'.repeat(2_000)}`, 'too_deep'],
    ['quotes', '"'.repeat(15 * MIB - 1), 'malformed_json'],
    ['quotes and backslashes', `"${'\\"'.repeat(7 * MIB)}`, 'malformed_json'],
    ['backslashes', `"${'\\'.repeat(14 * MIB + 1)}"`, 'malformed_json'],
    ['zeros', Buffer.alloc(15 * MIB), 'malformed_json'],
    ['no UTF-8', Buffer.alloc(15 * MIB, 0xff), 'malformed_json'],
    ['long texts', JSON.stringify({ a: Array.from({ length: 700 }, () => 'x'.repeat(20_000)) }), 'payload_too_large'],
  ])('of %s is refused', (_what, bytes, code) => {
    expect(refusalOf(bytes)).toBe(code);
  });

  it('counts values, not what stands in texts', () => {
    expect(refusalOf(JSON.stringify({ a: '[{,"\\'.repeat(20_000), b: 'x\\' }))).toBe('read');
  });

  it('may name a member like one that every object has: the validation refuses it', () => {
    const text = `{"__proto__":{"x":"${'x'.repeat(MIB)}"},"a":1}`;
    const { body } = readLargeJson(Buffer.from(text), KEY);
    expect(Object.keys(body as object)).toEqual(['__proto__', 'a']);
  });
});
