import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Timestamp } from './views';

export class ListCheckpoints extends MerchantRequest {
  /** The merchant's ledger shard. */
  @IsWholeNumberBetween(0, 32_767) shard: number;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export interface CheckpointView {
  /** Which log it speaks of. */
  origin: string;
  /** How many events it covers. */
  size: number;
  /** Root of the Merkle tree over them, in base64. */
  root: string;
  created_at: Timestamp;
  /** Names the key that signed it: 8 hex digits. */
  key_id: string;
  /** The key's 32 bytes in base64. */
  public_key: string;
  /** The same in the form that tools for signed notes take. */
  verifier_key: string;
  /** The signed note itself, line feeds included. */
  checkpoint: string;
}

/** What has been signed of the log that the merchant's events are in; newest first. */
export const listCheckpoints = operation({
  subject: 'wallet.list-checkpoints',
  readOnly: true,
  request: ListCheckpoints,
  reply: replies<Page<CheckpointView>>(),
  errors: [],
});
