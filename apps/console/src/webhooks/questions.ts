import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

/** A merchant has fewer endpoints than this. */
const WEBHOOKS_MAX = '100';

export const webhooksQuestion = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async () =>
    (await answered(backOffice.GET('/api/webhooks', { params: { query: { limit: WEBHOOKS_MAX } } }))).data,
});

/** The newest. */
export const eventsQuestion = queryOptions({
  queryKey: ['events'],
  queryFn: () => answered(backOffice.GET('/api/events', { params: { query: { limit: '20' } } })),
});

export const eventQuestion = (event_id: string) =>
  queryOptions({
    queryKey: ['event', event_id],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/events/{event_id}', { params: { path: { event_id } } }))).data,
  });
