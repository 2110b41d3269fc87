import { Injectable } from '@nestjs/common';
import { DOCUMENT_PART_BYTES } from '@stablecoin/contracts/customer/upload-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body holds in memory, on routes that take documents. */
    bodyShare: BodyShare | undefined;
  }
}

/** Of bodies with documents, in memory at once: two that are worked on, and what arrives meanwhile. */
const BYTES_MAX = 96 * 1024 * 1024;
/** Of one merchant: one of the largest bodies, or several smaller ones. */
const BYTES_OF_MERCHANT_MAX = 16 * 1024 * 1024;
/** Of one file: two on their way to the customer service, and the one that is being filled (document-forms.ts). */
const HELD_PARTS_MAX = 3;

/**
 * Bounds the memory that bodies with documents take, of all merchants together and of each.
 *
 * Of all together, bytes count from when they arrive, never by what a request declares: a connection that declares
 * 15 MiB and sends nothing takes nothing from the others. Within its own share a merchant's body reserves what it may
 * come to hold before any of it is read: of eight large bodies at once the first arrives whole and the others are
 * refused by their heads, where counting what has arrived would refuse all eight in the middle.
 */
@Injectable()
export class BodyShares {
  private bytes = 0;
  private readonly reservedBytes = new Map<string, number>();

  reservedBytesOf(merchantId: string): number {
    return this.reservedBytes.get(merchantId) ?? 0;
  }

  /** Whether a body that may come to hold this many bytes has room now; it reserves none. */
  hasRoom(merchantId: string, bytes: number): boolean {
    return this.bytes + bytes <= BYTES_MAX && this.reservedBytesOf(merchantId) + bytes <= BYTES_OF_MERCHANT_MAX;
  }

  /** @throws Refusal without room */
  open(merchantId: string, bytes: number): BodyShare {
    if (!this.hasRoom(merchantId, bytes)) throw Refusal.notExecuted();
    this.reserve(merchantId, bytes);
    const share = new BodyShare((change) => this.add(change));
    share.onClose(() => this.reserve(merchantId, -bytes));
    return share;
  }

  private reserve(merchantId: string, change: number): void {
    const left = this.reservedBytesOf(merchantId) + change;
    if (left === 0) this.reservedBytes.delete(merchantId);
    else this.reservedBytes.set(merchantId, left);
  }

  private add(change: number): void {
    if (change > 0 && this.bytes + change > BYTES_MAX) throw Refusal.notExecuted();
    this.bytes += change;
  }
}

/** What one body holds in memory, until its request is answered. */
export class BodyShare {
  private held = 0;
  private isClosed = false;
  private readonly closing: (() => void)[] = [];

  constructor(private readonly change: (bytes: number) => void) {}

  /** @throws Refusal where bodies hold too much together */
  take(bytes: number): void {
    if (this.isClosed) return;
    this.change(bytes);
    this.held += bytes;
  }

  /** Bytes that are no longer in memory. */
  give(bytes: number): void {
    if (this.isClosed) return;
    this.change(-bytes);
    this.held -= bytes;
  }

  /** Called once, when the request is answered; at once if it is already. */
  onClose(listener: () => void): void {
    if (this.isClosed) listener();
    else this.closing.push(listener);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.change(-this.held);
    for (const listener of this.closing) listener();
  }
}

/** What a request's body may come to hold: all of it, or of a file, which is passed on as it arrives, some parts. */
export function heldBytesMaxOf({ headers, routeOptions }: FastifyRequest): number {
  const { takesFile } = routeOptions.config;
  const isSized = headers['transfer-encoding'] === undefined;
  const bytes = isSized ? Number(headers['content-length'] ?? 0) : routeOptions.bodyLimit;
  return takesFile ? Math.min(bytes, HELD_PARTS_MAX * DOCUMENT_PART_BYTES) : bytes;
}
