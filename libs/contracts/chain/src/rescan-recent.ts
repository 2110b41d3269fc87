import { Network } from '@stablecoin/money/currency';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Rescan } from './rescan';

/** How far before the newest walked block: a day on the quickest network, four weeks on the slowest. */
export const RECENT_BLOCKS_MAX = 200_000;

export class RescanRecent extends Rescan {}

/**
 * As chain.rescan, of recent blocks alone: each block that is looked at again costs the nodes questions, and a rescan is not called back.
 * Refused by field: a network that is not walked; a block after the newest walked one, or more than RECENT_BLOCKS_MAX before it.
 */
export const rescanRecent = operation({
  subject: 'chain.rescan-recent',
  request: RescanRecent,
  reply: replies<{ network: Network; from_block: number }>(),
  errors: [],
});
