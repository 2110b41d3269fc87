import { Decimal } from 'decimal.js';

/**
 * decimal.js with 60 significant digits instead of its default 20. The longest product here is an amount (18 + 8
 * digits) times a price (18 + 12 digits): 56 digits, so a multiplication never rounds; only the named roundings do.
 * Print with `toFixed`: `toString` turns small values into exponents. Compare with methods: `<` compares strings.
 */
export const PreciseDecimal = Decimal.clone({ precision: 60 });

/** Away from zero. */
export const ROUND_UP = Decimal.ROUND_UP;
export const ROUND_HALF_EVEN = Decimal.ROUND_HALF_EVEN;
