interface Act {
  error: Error | null;
  /** When it was begun last; 0 for one that never was. */
  submittedAt: number;
}

/** The error of the act that was begun last: what was said of the ones before is over. */
export function lastError(...acts: readonly [Act, ...Act[]]): Error | null {
  return acts.reduce((last, act) => (act.submittedAt > last.submittedAt ? act : last)).error;
}
