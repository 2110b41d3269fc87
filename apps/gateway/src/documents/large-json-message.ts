import type { ErrorCode, FieldError } from '@stablecoin/contracts/wire/error-codes';

/** What passes between the gateway and the worker that reads large bodies. */
export interface LargeJson {
  id: number;
  bytes: ArrayBuffer;
}

export type ReadJson = { id: number } & (
  | { body: unknown; inputHash: string; documents: readonly TransferredDocument[] }
  | { refusal: { code: ErrorCode; fields: readonly FieldError[] | undefined } }
);

export interface TransferredDocument {
  standIn: string;
  sha256: string;
  bytes: ArrayBuffer;
}
