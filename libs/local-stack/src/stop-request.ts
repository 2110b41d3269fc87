/**
 * Resolves with the reason when this process is asked to end: by a signal or, if it has an IPC channel, by its parent's
 * end. Only the first request counts: a signal that npm repeats, or an impatient second Ctrl-C, must not break the
 * order in which parts are stopped.
 */
export function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    if (process.channel) {
      process.channel.unref();
      process.on('disconnect', () => resolve('Parent ended'));
    }
  });
}
