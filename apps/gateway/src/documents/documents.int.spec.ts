import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect, Socket } from 'node:net';
import { completeDocument } from '@stablecoin/contracts/customer/complete-document';
import { DOCUMENT_PART_BYTES, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { eventually } from '@stablecoin/testing/eventually';
import {
  AT,
  call,
  gateway,
  keyOf,
  outcome,
  problems,
  standIns,
  UNAPPROVED,
  useGateway,
  WALLET,
} from '../../testing/gateway-fixture';

useGateway();

const MIB = 1024 * 1024;
const PDF = Buffer.from('%PDF-1.7\n');
const pdf = (bytes: number) => Buffer.concat([PDF, Buffer.alloc(bytes - PDF.length, 7)]);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

beforeEach(() => {
  standIns.on(uploadDocumentPart, ({ upload_id }) => ({ upload_id }));
  standIns.on(completeDocument, ({ upload_id, sha256, bytes }) => ({
    result: { document_id: upload_id, sha256, bytes, media_type: 'application/pdf', created_at: AT },
    replayed: false,
  }));
});

function form(...files: [name: string, content: Buffer][]) {
  const body = new FormData();
  for (const [name, content] of files) body.append(name, new Blob([new Uint8Array(content)]), 'scan.pdf');
  return body;
}

async function send(body: FormData, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.origin}/api/documents`, {
    method: 'POST',
    body,
    headers: { 'x-api-key': 'good', ...headers },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

interface Answer {
  code?: string;
  data?: { document_id: string; sha256: string; bytes: number };
  errors?: { field: string; code: string }[];
}

describe('POST /documents', () => {
  it('passes a document on in parts, and says in the end what they are together', async () => {
    const content = pdf(DOCUMENT_PART_BYTES * 2 + 5);
    const { status, body } = await send(form(['file', content]));
    expect(status).toBe(200);
    const parts = standIns.requestsTo(uploadDocumentPart);
    expect(parts.map(({ part, parts, sha256 }) => [part, parts, sha256])).toEqual([
      [0, undefined, undefined],
      [1, undefined, undefined],
      [2, undefined, undefined],
    ]);
    const stored = Buffer.concat(parts.map(({ bytes }) => Buffer.from(String(bytes), 'base64')));
    expect(stored.equals(content)).toBe(true);
    const upload_id = parts[0]?.upload_id;
    const whole = { upload_id, parts: 3, bytes: content.length, sha256: sha256(content) };
    expect(standIns.requestsTo(completeDocument)).toEqual([expect.objectContaining(whole)]);
    expect(body.data).toMatchObject({ document_id: upload_id, sha256: whole.sha256, bytes: content.length });
  });

  it('is the same request with the same content, whatever the form looks like', async () => {
    const one = { 'idempotency-key': 'scan 1' };
    for (const content of [pdf(100), pdf(100), pdf(101)]) await send(form(['file', content]), one);
    const [first, second, third] = standIns.requestsTo(completeDocument);
    expect(second).toMatchObject({ command_id: first?.command_id, input_hash: first?.input_hash });
    expect(third).toMatchObject({ command_id: first?.command_id });
    expect(third?.input_hash).not.toBe(first?.input_hash);
  });

  it.each<[string, FormData, string]>([
    ['another kind of file', form(['file', Buffer.from('GIF89a and more')]), 'file: invalid_document'],
    ['an empty file', form(['file', Buffer.alloc(0)]), 'file: invalid_document'],
    ['one byte over 5 MiB', form(['file', pdf(5 * MIB + 1)]), 'file: document_too_large'],
    ['another field', form(['scan', pdf(100)]), 'scan: unknown_field'],
    ['two files', form(['file', pdf(100)], ['file', pdf(100)]), 'file: unknown_field'],
    ['no file', form(), 'file: required'],
  ])('refuses %s', async (_what, body, problem) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect((answer.body.errors ?? []).map(({ field, code }) => `${field}: ${code}`)).toEqual([problem]);
    expect(standIns.requestsTo(completeDocument)).toEqual([]);
  });

  it('refuses what is no form, or only a part of one, and takes a form nowhere else', async () => {
    expect(outcome(await call('POST', '/api/documents', { file: 'x' }))).toEqual([415, 'unsupported_media_type']);
    expect(problems(await call('POST', '/api/documents'))).toEqual(['file: required']);
    const type = 'multipart/form-data; boundary=b';
    const cut = `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-1.7 and no end`;
    for (const headers of [{ 'content-type': type }, { 'content-type': 'multipart/form-data' }]) {
      expect(problems(await call('POST', '/api/documents', cut, headers))).toEqual([': invalid_form']);
    }
    const elsewhere = await call('POST', '/api/individual-customers', cut, { 'content-type': type });
    expect(outcome(elsewhere)).toEqual([415, 'unsupported_media_type']);
  });

  it('refuses what is too large before it has arrived', async () => {
    // A merchant of its own: a part of the test before this may still be on its way.
    const key = { 'x-api-key': keyOf({ merchant_id: WALLET }) };
    expect((await send(form(['file', pdf(6 * MIB)]), key)).body.code).toBe('payload_too_large');
    const theirs = standIns.requestsTo(uploadDocumentPart).filter(({ merchant_id }) => merchant_id === WALLET);
    expect(theirs).toEqual([]);
  });

  it('tells a merchant whose share is full to come back later', async () => {
    standIns.on(uploadDocumentPart, () => {
      throw Refusal.rateLimited(1_140);
    });
    const { status, headers, body } = await send(form(['file', pdf(2 * MIB)]));
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1140']);
    expect(standIns.requestsTo(uploadDocumentPart)).toHaveLength(1);
  });

  it('passes one part of a merchant on at a time, and meanwhile one of another', async () => {
    const other = keyOf({ merchant_id: WALLET });
    const waiting: { merchant_id: string; go: () => void }[] = [];
    standIns.on(uploadDocumentPart, async ({ merchant_id, upload_id }) => {
      await new Promise<void>((go) => waiting.push({ merchant_id, go }));
      return { upload_id };
    });
    const sent = Array.from({ length: 3 }, () => send(form(['file', pdf(DOCUMENT_PART_BYTES * 2)])));
    await eventually('a part to be on its way', () => waiting.length > 0);
    const theirs = send(form(['file', PDF]), { 'x-api-key': other });
    await eventually('the part of another', () => waiting.some(({ merchant_id }) => merchant_id === WALLET));
    const atOnce: number[] = [waiting.length - 1];
    waiting.splice(0).forEach(({ go }) => go());
    expect((await theirs).status).toBe(200);
    while (atOnce.length < 6) {
      await eventually('the next part', () => waiting.length > 0);
      atOnce.push(waiting.length);
      waiting.splice(0).forEach(({ go }) => go());
    }
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(atOnce).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('passes no part on whose form was refused while it waited for its turn', async () => {
    const merchant_id = UNAPPROVED;
    const key = { 'x-api-key': keyOf({ merchant_id }) };
    const passedOn: string[] = [];
    let finish = (): void => undefined;
    standIns.on(uploadDocumentPart, async ({ upload_id, bytes, merchant_id: of }) => {
      if (of === merchant_id) passedOn.push(String(bytes));
      if (passedOn.length === 1) await new Promise<void>((go) => (finish = go));
      return { upload_id };
    });
    const before = send(form(['file', pdf(100)]), key);
    await eventually('a part to be on its way', () => passedOn.length === 1);
    expect((await send(form(['file', pdf(101)], ['file', pdf(102)]), key)).status).toBe(400);
    const after = send(form(['file', pdf(103)]), key);
    finish();
    expect([(await before).status, (await after).status]).toEqual([200, 200]);
    expect(passedOn).toEqual([pdf(100), pdf(103)].map((content) => content.toString('base64')));
  });

  it('needs the scope write, with a test key as with a live one', async () => {
    for (const mode of ['test', 'live'] as const) {
      expect((await send(form(['file', PDF]), { 'x-api-key': keyOf({ mode }) })).status).toBe(200);
    }
    const reader = keyOf({ scopes: ['read'] });
    expect((await send(form(['file', PDF]), { 'x-api-key': reader })).body.code).toBe('insufficient_scope');
  });
});

describe('senders that take their time', () => {
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  function declare(path: string, bytes: number, type: string, key = 'good'): Socket {
    const { hostname, port } = new URL(gateway.origin);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: ${type}\r\n`);
    socket.write(`content-length: ${bytes}\r\n\r\n{"first_name":"`);
    return socket;
  }

  it('hold up no other: what they declare takes no room', async () => {
    for (let opened = 0; opened < 20; opened += 1) declare('/api/individual-customers', 14 * MIB, 'application/json');
    const large = JSON.stringify({ first_name: 'x'.repeat(8 * MIB) });
    expect(problems(await call('POST', '/api/individual-customers', large))).toContain('first_name: invalid_text');
    expect((await send(form(['file', pdf(MIB)]))).status).toBe(200);
  });

  it('are dropped unanswered', async () => {
    const socket = declare('/api/individual-customers', 14 * MIB, 'application/json');
    let isClosed = false;
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString())).on('close', () => (isClosed = true));
    await eventually('the connection is closed', () => isClosed, { timeoutMs: 12_000 });
    expect(answer).toBe('');
  });
});

describe('the shares of bodies with documents', () => {
  it('are each merchant’s own, and count what has arrived', async () => {
    const other = keyOf({ merchant_id: WALLET });
    const ends: (() => void)[] = [];
    const arriving = Array.from({ length: 3 }, () => begin(11 * MIB, ends));
    const refused = await Promise.race(arriving);
    expect(refused).toEqual([503, 'none', '1']);
    const large = JSON.stringify({ first_name: 'x'.repeat(8 * MIB) });
    const theirs = await call('POST', '/api/individual-customers', large, { 'x-api-key': other });
    expect(problems(theirs)).toContain('first_name: invalid_text');
    ends.forEach((end) => end());
    await Promise.allSettled(arriving);
    await eventually('there is room again', async () => {
      const again = await call('POST', '/api/individual-customers', large);
      return problems(again).includes('first_name: invalid_text');
    });
  });

  /** Sends all of a body but its end. */
  function begin(bytes: number, ends: (() => void)[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        `${gateway.origin}/api/individual-customers`,
        {
          method: 'POST',
          headers: { 'x-api-key': 'good', 'content-type': 'application/json', 'content-length': bytes + 10 },
        },
        ({ statusCode, headers }) => resolve([statusCode, headers['x-outcome'], headers['retry-after']]),
      );
      sent.on('error', reject);
      sent.write(Buffer.alloc(bytes, ' '));
      ends.push(() => sent.destroy());
    });
  }
});
