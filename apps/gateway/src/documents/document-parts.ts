import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { UploadDocumentPart, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';

const REST_MS_MAX = 250;

/**
 * Sends parts of documents to the customer service, of each merchant one at a time and as long a rest after it as it took; the next
 * ones wait for their turn in the order of their arrival. A part takes that service some ten milliseconds of its event loop, and it
 * handles all that have arrived one right after the other: other merchants' requests would wait for every part of every document
 * that one merchant sends at once. So one that never stops sending has half of the service's time, and less on a busy one.
 */
@Injectable()
export class DocumentParts {
  /** By merchant: those that wait for the part that is on its way. */
  private readonly lanes = new Map<string, (() => void)[]>();

  constructor(private readonly bus: BusClient) {}

  /** @param inContext makes the call, with a deadline that begins when the part has its turn */
  async send(
    part: Plain<UploadDocumentPart>,
    inContext: (call: () => Promise<unknown>) => Promise<unknown> = (call) => call(),
  ): Promise<void> {
    await this.turn(part.merchant_id);
    const startedAt = performance.now();
    try {
      await inContext(() => this.bus.call(uploadDocumentPart, part));
    } finally {
      void this.next(part.merchant_id, performance.now() - startedAt);
    }
  }

  private turn(merchantId: string): Promise<void> {
    const waiting = this.lanes.get(merchantId);
    if (waiting) return new Promise((go) => waiting.push(go));
    this.lanes.set(merchantId, []);
    return Promise.resolve();
  }

  private async next(merchantId: string, tookMs: number): Promise<void> {
    await delay(Math.min(tookMs, REST_MS_MAX));
    const go = this.lanes.get(merchantId)?.shift();
    if (go) go();
    else this.lanes.delete(merchantId);
  }
}
