import { Hex } from '@stablecoin/chain-node/chain-node';

/** As Postgres reads a `bytea` in text. */
export const byteaText = (hex: Hex): string => `\\x${hex.slice(2)}`;
