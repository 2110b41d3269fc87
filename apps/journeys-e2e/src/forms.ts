import { PNG } from '@stablecoin/testing/person';
import type { Sending } from '@stablecoin/testing/merchant-client';
import { Client } from './client';

const BOUNDARY = 'end-of-a-part';

/** A document that a merchant sends by itself, as its engineer sees it. */
export interface SentDocument {
  document_id: string;
  sha256: string;
  bytes: number;
  media_type: string;
  created_at: string;
}

export const PNG_BYTES = Buffer.from(PNG.split(',')[1] ?? '', 'base64');

/** A form with one file. */
export function fileForm(content: Buffer, field = 'file'): Sending {
  const head = `content-disposition: form-data; name="${field}"; filename="scan"\r\ncontent-type: application/octet-stream`;
  return {
    raw: Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
      content,
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

export function sendDocument(client: Client, content: Buffer = PNG_BYTES): Promise<SentDocument> {
  return client.sdk.documents.upload(content);
}
