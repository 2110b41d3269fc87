const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/**
 * Sums over the last 24 hours, by name, kept per minute: 1,441 numbers for each name at the most. An amount counts until
 * its whole minute is a day old, so never for less than 24 hours. Times don't run backwards: the caller sees to it.
 */
export class RollingDay<Name extends string> {
  private readonly minutes = new Map<Name, Map<number, bigint>>();

  add(name: Name, amount: bigint, at: number): void {
    if (amount === 0n) return;
    const minutes = this.current(name, at);
    const minute = Math.floor(at / MINUTE_MS);
    minutes.set(minute, (minutes.get(minute) ?? 0n) + amount);
    this.minutes.set(name, minutes);
  }

  sum(name: Name, at: number): bigint {
    let sum = 0n;
    for (const amount of this.current(name, at).values()) sum += amount;
    return sum;
  }

  /** The oldest minute stands first. */
  private current(name: Name, at: number): Map<number, bigint> {
    const minutes = this.minutes.get(name) ?? new Map<number, bigint>();
    const oldest = Math.floor(at / MINUTE_MS) - DAY_MINUTES;
    for (const minute of minutes.keys()) {
      if (minute >= oldest) break;
      minutes.delete(minute);
    }
    return minutes;
  }
}
