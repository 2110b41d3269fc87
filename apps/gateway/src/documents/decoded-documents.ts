import { Injectable } from '@nestjs/common';

/** A document's bytes, decoded from the text of a body. */
export interface DecodedDocument {
  sha256: string;
  bytes: Buffer;
}

/**
 * The documents of bodies that a worker has read. In the body that it gives back, a stand-in takes the place of each: a data
 * URI of a few bytes that passes the checks of a document, half of them random, so that no caller can name another's.
 */
@Injectable()
export class DecodedDocuments {
  private readonly byStandIn = new Map<string, DecodedDocument>();

  add(standIn: string, document: DecodedDocument): void {
    this.byStandIn.set(standIn, document);
  }

  find(standIn: string): DecodedDocument | undefined {
    return this.byStandIn.get(standIn);
  }

  forget(standIn: string): void {
    this.byStandIn.delete(standIn);
  }
}
