import { Injectable } from '@nestjs/common';
import { findOwner, Owner } from '@stablecoin/contracts/customer/find-owner';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ExpiringCache } from '@stablecoin/messaging/expiring-cache';

const OWNER_MS = 1_000;
const REFRESHED_MS = 600;
const OWNERS_MAX = 20_000;

/** A merchant's command, which has no effect once it is objected to. */
export interface OwnerCommand {
  readonly ids: { readonly merchant_id: string };
  objectTo(objection: 'customer_closed'): void;
}

/**
 * Finds the owner that a request is for: one of the merchant's customers, or without `customer_id` the merchant itself.
 * The customer service is asked at most once a second per owner.
 */
@Injectable()
export class Owners {
  private readonly owners = new ExpiringCache<Owner>({
    entriesMax: OWNERS_MAX,
    join: (finding) => this.bus.join(findOwner, finding),
    refreshedMs: REFRESHED_MS,
  });

  constructor(private readonly bus: BusClient) {}

  /** @throws Refusal not_found for an id that doesn't exist or is another merchant's */
  find(merchantId: string, customerId?: string | null): Promise<Owner> {
    const request = { merchant_id: merchantId, ...(customerId && { customer_id: customerId.toLowerCase() }) };
    return this.owners.get(keyOf(merchantId, customerId), async () => ({
      value: await this.bus.call(findOwner, request),
      ttlMs: OWNER_MS,
    }));
  }

  /** For changes and movements: objects to the command when the owner is closed. */
  async findOpen(command: OwnerCommand, customerId?: string | null): Promise<Owner> {
    const owner = await this.find(command.ids.merchant_id, customerId);
    if (owner.status === 'closed') command.objectTo('customer_closed');
    return owner;
  }

  /** Called after a change to the owner that this process has made. */
  forget(merchantId: string, customerId: string): void {
    this.owners.forget(keyOf(merchantId, customerId));
  }
}

const keyOf = (merchantId: string, customerId?: string | null) => `${merchantId}/${customerId?.toLowerCase() ?? ''}`;
