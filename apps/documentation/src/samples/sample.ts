import type { ConsoleOperation, Filled } from '../console/console-operation';
import { curlOf } from './curl';
import { pythonOf } from './python';
import { typescriptOf } from './typescript';

/** What a sample shows: an operation as the reader has filled it in, at the service's own address. */
export interface Sample {
  operation: ConsoleOperation;
  filled: Filled;
  apiUrl: string;
}

export const LANGUAGES = [
  { name: 'curl', of: curlOf },
  { name: 'TypeScript', of: typescriptOf },
  { name: 'Python', of: pythonOf },
] as const;

/** Where samples take the API key from. */
export const KEY_VARIABLE = 'STABLECOIN_API_KEY';
