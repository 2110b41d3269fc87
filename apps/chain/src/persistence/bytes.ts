import { Hex } from '../nodes/chain-source';

/** As Postgres reads a `bytea` in text. */
export const byteaText = (hex: Hex): string => `\\x${hex.slice(2)}`;
