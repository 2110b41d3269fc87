/** Amounts as whole numbers of the eighth decimal, by hand. */
const AMOUNT = /^(0|[1-9]\d{0,17})(?:\.(\d{1,8}))?$/;
const DECIMALS = 8;

export function unitsOf(amount: string): bigint | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(amount) ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

export function textOfUnits(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(DECIMALS + 1, '0');
  return `${sign}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}
