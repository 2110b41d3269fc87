/** What is asked about the person, each with the key under which the answer is kept. */
import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

export const sessionQuestion = queryOptions({
  queryKey: ['session'],
  queryFn: () => answered(backOffice.GET('/api/session')),
  staleTime: 60_000,
  retry: false,
});

export const signInWaysQuestion = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: () => answered(backOffice.GET('/api/sign-in-ways')),
  staleTime: Infinity,
});
