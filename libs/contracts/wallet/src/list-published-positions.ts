import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** Of every shard. */
export class ListPublishedPositions {}

export interface PublishedPosition {
  shard: number;
  /** All facts up to here have been on the stream. */
  position: number;
}

export const listPublishedPositions = operation({
  subject: 'wallet.list-published-positions',
  readOnly: true,
  request: ListPublishedPositions,
  reply: replies<PublishedPosition[]>(),
  errors: [],
});
