import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

export const keysQuestion = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await answered(backOffice.GET('/api/keys'))).data,
});
