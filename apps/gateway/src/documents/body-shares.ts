import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body holds in memory, on routes that take documents. */
    bodyShare: BodyShare | undefined;
  }
}

/** Of bodies with documents, in memory at once: two that are worked on, and what arrives meanwhile. */
const BYTES_MAX = 96 * 1024 * 1024;
/** Of one merchant: two of the largest bodies. */
const BYTES_OF_MERCHANT_MAX = 32 * 1024 * 1024;

/**
 * Bounds the memory that bodies with documents take, of all merchants together and of each. Bytes count from when they
 * arrive, never by what a request declares: a connection that declares 15 MiB and sends nothing takes nothing.
 */
@Injectable()
export class BodyShares {
  private bytes = 0;
  private readonly bytesOfMerchants = new Map<string, number>();

  bytesOf(merchantId: string): number {
    return this.bytesOfMerchants.get(merchantId) ?? 0;
  }

  /** Whether there is room for this many bytes now; it reserves none. */
  hasRoom(merchantId: string, bytes: number): boolean {
    return this.bytes + bytes <= BYTES_MAX && this.bytesOf(merchantId) + bytes <= BYTES_OF_MERCHANT_MAX;
  }

  open(merchantId: string): BodyShare {
    return new BodyShare((change) => this.add(merchantId, change));
  }

  private add(merchantId: string, change: number): void {
    if (change > 0 && !this.hasRoom(merchantId, change)) throw Refusal.notExecuted();
    this.bytes += change;
    const left = this.bytesOf(merchantId) + change;
    if (left === 0) this.bytesOfMerchants.delete(merchantId);
    else this.bytesOfMerchants.set(merchantId, left);
  }
}

/** What one body holds in memory, until its request is answered. */
export class BodyShare {
  private held = 0;
  private isClosed = false;
  private readonly closing: (() => void)[] = [];

  constructor(private readonly change: (bytes: number) => void) {}

  /** @throws Refusal beyond the merchant's share, or that of all */
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
