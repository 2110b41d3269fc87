import { randomUUID } from 'node:crypto';
import { EventCustomer, EventType } from '@stablecoin/contracts/customer/webhook-views';
import { NewEvent } from './record-events';

/** What of a customer's row an event needs. */
export interface CustomerOfEvent extends Pick<EventCustomer, 'id' | 'customer_type' | 'status' | 'kyc_status'> {
  merchant_id: string;
  /** How many events the customer has had, this one included. */
  event_sequence: number;
  created_at: Date;
  updated_at: Date;
}

export type CustomerEventType = Extract<EventType, `customer.${string}`>;

/** A customer's change as an event: the customer as it is after it, without anything that is sealed. */
export function customerEvent(type: CustomerEventType, customer: CustomerOfEvent): NewEvent {
  const { id, customer_type, status, kyc_status, created_at, updated_at } = customer;
  return {
    id: randomUUID(),
    merchant_id: customer.merchant_id,
    type,
    resource_id: id,
    sequence: customer.event_sequence,
    data: {
      id,
      customer_type,
      status,
      kyc_status,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    },
    created_at: updated_at,
  };
}
