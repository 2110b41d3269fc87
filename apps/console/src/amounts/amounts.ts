/**
 * Amounts are texts of decimal digits from end to end: no arithmetic of floating point ever touches one. What is shown keeps
 * every digit that is not zero, and at least the two that people expect.
 */

const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;
const DECIMALS_MIN = 2;

interface AmountParts {
  negative: boolean;
  /** With separators of thousands. */
  whole: string;
  decimals: string;
}

/** Undefined for a text that is no amount. */
function amountParts(text: string): AmountParts | undefined {
  const [, sign, digits, fraction = ''] = AMOUNT.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const kept = fraction.replace(/0+$/, '').padEnd(DECIMALS_MIN, '0');
  const whole = digits.replace(/^0+(?=\d)/, '');
  const isZero = /^0*$/.test(digits + fraction);
  return { negative: sign === '-' && !isZero, whole: whole.replace(/\B(?=(\d{3})+$)/g, ','), decimals: kept };
}

/** `1489.55000000` as `1,489.55`; a text that is no amount comes back as it is, so that nothing is hidden. */
export function formatAmount(text: string): string {
  const parts = amountParts(text);
  return parts ? `${parts.negative ? '−' : ''}${parts.whole}.${parts.decimals}` : text;
}

/** A rate keeps the digits that it has: it is no amount of money. */
export const formatRate = (text: string): string => {
  const [, sign, digits = '', fraction] = AMOUNT.exec(text) ?? [];
  if (sign === undefined) return text;
  return `${digits.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`;
};

/** The sum of amounts with up to eight decimals, exact; undefined when one is no amount. */
export function sumOf(amounts: readonly string[]): string | undefined {
  let sum = 0n;
  for (const amount of amounts) {
    const [, sign, digits, fraction = ''] = AMOUNT.exec(amount) ?? [];
    if (digits === undefined || fraction.length > 8) return undefined;
    const units = BigInt(digits + fraction.padEnd(8, '0'));
    sum += sign === '-' ? -units : units;
  }
  const text = (sum < 0n ? -sum : sum).toString().padStart(9, '0');
  return `${sum < 0n ? '-' : ''}${text.slice(0, -8)}.${text.slice(-8)}`;
}
