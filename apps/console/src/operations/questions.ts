import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

export const servicesQuestion = queryOptions({
  queryKey: ['operations', 'services'],
  queryFn: async () => (await answered(backOffice.GET('/api/operations/services'))).data,
});

export const shardsQuestion = queryOptions({
  queryKey: ['operations', 'shards'],
  queryFn: async () => (await answered(backOffice.GET('/api/operations/shards'))).data,
});

export const parkedFactsQuestion = queryOptions({
  queryKey: ['operations', 'parked-facts'],
  queryFn: async () => (await answered(backOffice.GET('/api/operations/parked-facts'))).data,
});
