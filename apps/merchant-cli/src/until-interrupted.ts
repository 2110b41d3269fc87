/** Runs work that has no end of its own until Ctrl-C or SIGTERM, which ends it in order. A second one ends the process. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  const end = () => interruption.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    await work(interruption.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}
