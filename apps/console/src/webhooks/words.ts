import type { Schema } from '../api/client';

type Delivery = Schema<'EventWithDeliveries'>['deliveries'][number];

/** Why an attempt did not succeed, as a person who looks after the receiver would say it. */
const ERROR_WORDS: Readonly<Record<NonNullable<Delivery['error']>, string>> = {
  refused_by_receiver: 'the receiver refused it',
  timeout: 'the receiver did not answer in time',
  connection_failed: 'the receiver could not be reached',
  host_not_found: 'its host was not found',
  private_address: 'its host is inside a private network',
  webhook_disabled: 'the endpoint is disabled',
  webhook_deleted: 'the endpoint was deleted',
};

const STATUS_WORDS = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;
export const deliveryStatus = (status: Delivery['status']): string => STATUS_WORDS[status];

/** What an attempt came to, without an end to the sentence. */
export function outcomeOf({ response_status: status, error }: Pick<Delivery, 'response_status' | 'error'>): string {
  const parts = [status === null ? undefined : `answered ${status}`, error === null ? undefined : ERROR_WORDS[error]];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** The types that an endpoint takes, for a list. */
export const takes = ({ events }: Pick<Schema<'Webhook'>, 'events'>): string =>
  events === null ? 'All events' : events.join(', ');

/** @param which secret it is */
export const noteOf = (which: string): string =>
  `${which} It is not shown again: keep it where your receiver finds it.`;
