import { Injectable } from '@nestjs/common';
import { UploadDocumentPart, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';

/** On their way to the customer service, of all documents of one merchant. */
export const PARTS_OF_MERCHANT_MAX = 2;

interface Lane {
  sending: number;
  /** In the order of their arrival. */
  readonly waiting: (() => void)[];
}

/**
 * Sends parts of documents to the customer service, a few of each merchant at a time; the next ones wait for their turn. A part
 * takes that service ten milliseconds and more of its event loop, and it handles all that have arrived one right after the other: other
 * merchants' requests would wait for every part of every document that one merchant sends at once.
 */
@Injectable()
export class DocumentParts {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly bus: BusClient) {}

  /** @param inContext makes the call, with a deadline that begins when the part has its turn */
  async send(
    part: Plain<UploadDocumentPart>,
    inContext: (call: () => Promise<unknown>) => Promise<unknown> = (call) => call(),
  ): Promise<void> {
    await this.turn(part.merchant_id);
    try {
      await inContext(() => this.bus.call(uploadDocumentPart, part));
    } finally {
      this.end(part.merchant_id);
    }
  }

  private turn(merchantId: string): Promise<void> {
    const lane = this.lanes.get(merchantId) ?? { sending: 0, waiting: [] };
    this.lanes.set(merchantId, lane);
    if (lane.sending >= PARTS_OF_MERCHANT_MAX) return new Promise((go) => lane.waiting.push(go));
    lane.sending += 1;
    return Promise.resolve();
  }

  /** Hands the place on to the part that has waited longest. */
  private end(merchantId: string): void {
    const lane = this.lanes.get(merchantId);
    const next = lane?.waiting.shift();
    if (!lane || next) return next?.();
    lane.sending -= 1;
    if (lane.sending === 0) this.lanes.delete(merchantId);
  }
}
