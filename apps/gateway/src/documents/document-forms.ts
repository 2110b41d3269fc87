import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import Busboy, { BusboyFileStream } from '@fastify/busboy';
import { Injectable } from '@nestjs/common';
import { DOCUMENT_BYTES_MAX } from '@stablecoin/contracts/customer/document';
import { DOCUMENT_PART_BYTES } from '@stablecoin/contracts/customer/upload-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import type { FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import { inputHashOf } from '../idempotency/input-hash';
import { isDocument } from './document-image';
import { DocumentParts } from './document-parts';
import '../http/request-state';

/** The name of the form's only field. */
export const FILE_FIELD = 'file';
/** Waiting or on their way to the customer service, of one document; with the one that is being filled, what is in memory of it. */
const PARTS_AT_ONCE = 2;
/** For a part to be stored: the time that every request has. */
const PART_DEADLINE_MS = 4_500;
const FIELD_NAME_CHARACTERS_MAX = 64;

/** A document whose parts are stored; `customer.complete-document` makes it one that a customer can refer to. */
export interface ArrivedDocument {
  upload_id: string;
  parts: number;
  bytes: number;
  sha256: string;
}

/**
 * Reads `multipart/form-data` with one file, as it arrives: the form is parsed → parts of 384 KiB go to the customer service,
 * which encrypts and stores them, while the next arrives → size, kind of file and digest are known with the last byte. While
 * parts wait to be stored, nothing more is read from the sender. A document that is refused or given up leaves parts behind,
 * which expire.
 */
@Injectable()
export class DocumentForms {
  private readonly hashKey: Buffer;

  constructor(
    private readonly parts: DocumentParts,
    configuration: GatewayConfiguration,
  ) {
    this.hashKey = configuration.inputHashKey;
  }

  /** Fastify's parser of such bodies. */
  async read(request: FastifyRequest, payload: Readable): Promise<ArrivedDocument> {
    if (!request.routeOptions.config.takesFile) throw new Refusal('unsupported_media_type');
    const document = await this.readForm(request, payload);
    // The same content is the same request, whatever its file was called.
    request.inputHash = inputHashOf(this.hashKey, { sha256: document.sha256 });
    return document;
  }

  private readForm(request: FastifyRequest, payload: Readable): Promise<ArrivedDocument> {
    return new Promise((resolve, reject) => {
      const form = formOf(request);
      let arriving: Promise<ArrivedDocument> | undefined;
      let current: BusboyFileStream | undefined;
      const refused = new AbortController();
      const fail = (error: unknown): void => {
        payload.unpipe(form);
        // What still comes is read and thrown away, so that the sender gets to read the answer.
        payload.resume();
        current?.destroy(error as Error);
        refused.abort(error);
        reject(error instanceof Refusal ? error : malformed());
      };
      form.on('file', (name, file) => {
        // A file that is destroyed says so to its reader, which is this.store.
        file.on('error', () => undefined);
        current = file;
        if (name !== FILE_FIELD) fail(unknownField(name));
        else if (arriving) fail(unknownField(name));
        else (arriving = this.store(request, file, refused.signal)).catch(fail);
      });
      form.on('field', (name) => fail(unknownField(name)));
      form.on('partsLimit', () => fail(unknownField(FILE_FIELD)));
      form.on('error', fail);
      form.on('finish', () => {
        if (arriving) arriving.then(resolve, fail);
        else fail(Refusal.ofField(FILE_FIELD, 'required', 'is required'));
      });
      payload.on('error', fail);
      payload.pipe(form);
    });
  }

  private async store(request: FastifyRequest, file: BusboyFileStream, refused: AbortSignal): Promise<ArrivedDocument> {
    const document: ArrivedDocument = { upload_id: randomUUID(), parts: 0, bytes: 0, sha256: '' };
    const hash = createHash('sha256');
    const sending = new Set<Promise<void>>();
    const send = async (bytes: Buffer): Promise<void> => {
      if (document.parts === 0 && !isDocument(bytes)) throw invalid('invalid_document', 'must be a PNG, JPEG or PDF');
      const sent = this.sendPart(request, refused, document.upload_id, document.parts, bytes);
      document.parts += 1;
      const done = sent.finally(() => sending.delete(done));
      done.catch(() => undefined);
      sending.add(done);
      // The first part opens the upload, or is refused; until then no other is sent.
      if (document.parts === 1) await done;
      else if (sending.size >= PARTS_AT_ONCE) await Promise.race(sending);
    };
    let chunks: Buffer[] = [];
    let waiting = 0;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      hash.update(chunk);
      document.bytes += chunk.length;
      chunks.push(chunk);
      waiting += chunk.length;
      if (waiting < DOCUMENT_PART_BYTES) continue;
      const arrived = Buffer.concat(chunks);
      await send(arrived.subarray(0, DOCUMENT_PART_BYTES));
      chunks = [arrived.subarray(DOCUMENT_PART_BYTES)];
      waiting = arrived.length - DOCUMENT_PART_BYTES;
    }
    if (file.truncated) throw invalid('document_too_large', 'must be at most 5 MiB');
    if (waiting > 0 || document.parts === 0) await send(Buffer.concat(chunks));
    await Promise.all(sending);
    return { ...document, sha256: hash.digest('hex') };
  }

  private async sendPart(
    request: FastifyRequest,
    refused: AbortSignal,
    upload_id: string,
    part: number,
    bytes: Buffer,
  ): Promise<void> {
    const merchant_id = request.caller?.merchant_id ?? '';
    const message = { merchant_id, upload_id, part, bytes: bytes.toString('base64') };
    await this.parts.send(message, async (call) => {
      // Refused while this part waited for its turn: it would only be stored to expire.
      refused.throwIfAborted();
      const deadline = Date.now() + PART_DEADLINE_MS;
      await withRequestContext({ requestId: request.id, merchantId: merchant_id, deadline }, call);
    });
    request.bodyShare?.give(bytes.length);
  }
}

function formOf({ headers }: FastifyRequest) {
  const limits = { fileSize: DOCUMENT_BYTES_MAX, fieldSize: 1_024, headerPairs: 20, headerSize: 8 * 1024, parts: 2 };
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  } catch {
    throw malformed();
  }
}

const malformed = () => Refusal.ofField('', 'invalid_form', 'must be multipart/form-data, whole and well-formed');

const invalid = (code: string, message: string) => Refusal.ofField(FILE_FIELD, code, message);

function unknownField(name: string): Refusal {
  const field = name.replace(/[^\x21-\x7e]/g, '?').slice(0, FIELD_NAME_CHARACTERS_MAX);
  return Refusal.ofField(field, 'unknown_field', `there is one field, ${FILE_FIELD}, with one file`);
}
