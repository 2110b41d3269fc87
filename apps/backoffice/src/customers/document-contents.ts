import { Injectable } from '@nestjs/common';
import { openDocument } from '@stablecoin/contracts/customer/open-document';
import { readDocumentPart } from '@stablecoin/contracts/customer/read-document-part';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply } from 'fastify';
import { personOf } from '../commands/acting-person';
import { CustomerCommands, NamedCustomer } from './customer-commands';

/** What a document can be; whatever else it is, is bytes. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
};
/** Beside the headers of every answer: opened by itself it is saved, and has no rights of the console's page. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** A customer's document for a person: opened for a reason, on the record, then given out for some minutes. */
@Injectable()
export class DocumentContents {
  constructor(
    private readonly bus: BusClient,
    private readonly commands: CustomerCommands,
  ) {}

  open(document_id: string, reason: string, customer: NamedCustomer, session: Session) {
    const act = { action: 'document-read', reason, details: { document_id } } as const;
    return this.commands.ask(openDocument, { document_id }, act, customer, session);
  }

  async send(document_id: string, customer: NamedCustomer, session: Session, reply: FastifyReply): Promise<void> {
    const asked = { ...customer, ...personOf(session), document_id };
    const first = await this.bus.call(readDocumentPart, { ...asked, part: 0 });
    const parts = [first.bytes];
    for (let part = 1; part < first.parts; part += 1)
      parts.push((await this.bus.call(readDocumentPart, { ...asked, part })).bytes);
    const type = first.media_type ?? 'application/octet-stream';
    const name = `document-${document_id.slice(0, 8)}.${EXTENSIONS[type] ?? 'bin'}`;
    void reply
      .header('content-type', type)
      .header('content-security-policy', POLICY)
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Buffer.concat(parts.map((bytes) => Buffer.from(bytes, 'base64'))));
  }
}
