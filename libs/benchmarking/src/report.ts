/** What a benchmark says: progress to stderr, and at the end its figures, as a table or (`--json`) as one object. */
export type Figures = Record<string, number | string>;

export function progress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

/** Rates and times are read with three digits; more would claim what a shared machine doesn't give. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

export function report(figures: Figures, json: boolean): void {
  const shown = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === 'number' ? rounded(value) : value,
  ]);
  if (json) process.stdout.write(`${JSON.stringify(Object.fromEntries(shown))}\n`);
  else process.stdout.write(shown.map(([name, value]) => `${String(name).padEnd(36)} ${value}\n`).join(''));
}
