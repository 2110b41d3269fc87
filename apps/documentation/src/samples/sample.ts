import type { ConsoleOperation, Filled } from '../console/console-operation';

/** What a sample shows: an operation as the reader has filled it in, at the service's own address. */
export interface Sample {
  operation: ConsoleOperation;
  filled: Filled;
  apiUrl: string;
}

/** Where samples take the API key from. */
export const KEY_VARIABLE = 'STABLECOIN_API_KEY';
