/** Blocks that a pass walks, or looks at again, at the most. */
export const BLOCKS_MAX = 20;
/** Blocks that are followed back where some were replaced, at the most. */
export const TAIL_MAX = 1_024;
/** Addresses that blocks are looked at again for, in one question. */
export const ADDRESSES_MAX = 200;
/** Blocks that one question about a range spans: what providers allow. */
export const RANGE_MAX = 1_000;
/** Transfers of contracts that are on no list, of one block, that are kept: anyone can make thousands for a few cents. */
export const UNLISTED_MAX = 20;
