import type { EvmNetwork } from './chains';

/**
 * The hash of each real chain's block 0, as go-ethereum, bsc and bor have it built in. Local chains have the same chain ids;
 * by this they can be told from the chains whose coins are worth something.
 */
export const GENESIS_BLOCKS: Readonly<Record<EvmNetwork, `0x${string}`>> = {
  erc20: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  bep20: '0x0d21840abff46b96c84b2ac9e10e4f5cdaeb5693cb665db62a2f3b02d2d57b5b',
  polygon: '0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b',
};
