/** @param startedAt on the monotonic clock, in milliseconds: `performance.now()` */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;
