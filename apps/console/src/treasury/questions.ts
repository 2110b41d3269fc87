import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

/** Of those that wait, with what holds them first; more are found by the operators' command line. */
const LISTED = '50';

export const treasuryQuestion = queryOptions({
  queryKey: ['treasury'],
  queryFn: async () => (await answered(backOffice.GET('/api/treasury'))).data,
});

export const transfersQuestion = (state: string) =>
  queryOptions({
    queryKey: ['treasury', 'transfers', state],
    queryFn: () => {
      const query = { limit: LISTED, ...(state === '' ? {} : { state }) };
      return answered(backOffice.GET('/api/treasury/transfers', { params: { query } }));
    },
  });

export const transferQuestion = (reference: string) =>
  queryOptions({
    queryKey: ['treasury', 'transfer', reference],
    queryFn: async () => {
      const params = { path: { reference } };
      return (await answered(backOffice.GET('/api/treasury/transfers/{reference}', { params }))).data;
    },
  });

export const unrecognisedQuestion = queryOptions({
  queryKey: ['treasury', 'unrecognised'],
  queryFn: () => answered(backOffice.GET('/api/treasury/unrecognised', { params: { query: { limit: LISTED } } })),
});
