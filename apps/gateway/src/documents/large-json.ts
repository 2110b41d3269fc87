import { createHash, randomBytes } from 'node:crypto';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { DOCUMENTS_JSON_BOUNDS, parseJsonBody } from '@stablecoin/http-answers/json-body';
import { inputHashOf } from '../idempotency/input-hash';
import { documentBytes, isDocumentImage, isTooLarge, TOO_LARGE } from './document-image';
import { TransferredDocument } from './large-json-message';

/** Longer than any text that a field takes: what is longer is refused as it would be whole. */
const TEXT_CHARACTERS_MAX = 16 * 1024;
/** A body without its documents; the bus carries no more. */
const REST_CHARACTERS_MAX = 900_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Each of these adds a value, or opens an object or a list. */
const STRUCTURE: ReadonlySet<number> = new Set([...',[{'].map((character) => character.charCodeAt(0)));

export interface LargeJsonContent {
  body: unknown;
  inputHash: string;
  documents: TransferredDocument[];
}

/**
 * Reads a body of up to 15 MiB, in a worker: its values are counted on the bytes before anything is parsed → JSON → the
 * hash of the input, of the body as it arrived → documents in base64 are taken out and decoded, a stand-in takes
 * the place of each → what is left is small. The fields are validated where every other body's are.
 */
export function readLargeJson(bytes: Buffer, hashKey: Uint8Array): LargeJsonContent {
  requireFewValues(bytes);
  const parsed = parseJsonBody(bytes, DOCUMENTS_JSON_BOUNDS);
  const inputHash = inputHashOf(hashKey, parsed);
  const documents: TransferredDocument[] = [];
  const body = withoutDocuments(parsed, documents);
  if (JSON.stringify(body).length > REST_CHARACTERS_MAX) throw new Refusal('payload_too_large');
  return { body, inputHash, documents };
}

/** @throws Refusal as the validation would, which counts the same of what was parsed */
function requireFewValues(bytes: Buffer): void {
  const { valuesMax } = DOCUMENTS_JSON_BOUNDS;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (STRUCTURE.has(byte) && (values += 1) > valuesMax) {
      throw Refusal.ofField('', 'too_many_values', `must not have more than ${valuesMax} values`);
    }
  }
}

/** The place of the closing quote of the text that opens at `start`, or the end of an unfinished one. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (bytes[before] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return bytes.length;
}

/** Every `doc_image` in a body is a document; its place is judged by the validation. */
function withoutDocuments(value: unknown, documents: TransferredDocument[], name = ''): unknown {
  if (typeof value === 'string') return name === 'doc_image' ? imageOf(value, documents) : shortened(value);
  if (Array.isArray(value)) return value.map((item) => withoutDocuments(item, documents));
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, member] of Object.entries(value)) {
    const kept = withoutDocuments(member, documents, key);
    // Defined, not assigned: a member may be called __proto__.
    if (kept !== member) Object.defineProperty(value, key, { value: kept });
  }
  return value;
}

function imageOf(text: string, documents: TransferredDocument[]): string {
  if (isTooLarge(text)) return TOO_LARGE;
  if (!isDocumentImage(text)) return shortened(text);
  const bytes = documentBytes(text);
  if (!bytes) return text;
  const standIn = newStandIn();
  documents.push({ standIn, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: ownMemory(bytes) });
  return standIn;
}

const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const newStandIn = () => `data:image/png;base64,${Buffer.concat([PNG_HEAD, randomBytes(16)]).toString('base64')}`;

/** Spaces at the ends are not part of a text. */
function shortened(text: string): string {
  return text.length <= TEXT_CHARACTERS_MAX ? text : text.trim().slice(0, TEXT_CHARACTERS_MAX + 1);
}

/** Memory that can be handed over to another thread: small buffers share theirs. */
export function ownMemory(bytes: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
  return (isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}
