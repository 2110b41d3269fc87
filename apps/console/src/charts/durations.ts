const UNITS = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1_000, name: 's' },
] as const;

/** `19953` as `20 s`: two digits are enough for a bound that is a quarter above what was measured. */
export function durationText(milliseconds: number): string {
  const unit = UNITS.find(({ ms }) => milliseconds >= ms * 0.995);
  if (unit === undefined) return `${milliseconds} ms`;
  const value = milliseconds / unit.ms;
  return `${value < 9.95 ? Number(value.toFixed(1)) : Math.round(value)} ${unit.name}`;
}
