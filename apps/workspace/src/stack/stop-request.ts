/**
 * Resolves to what asks this process to stop: a signal, or the end of the parent that started it with an IPC channel. Only
 * the first request counts; a signal that npm repeats, or a second Ctrl-C, must not break the order of stopping.
 */
export function untilStopRequested(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        resolve(signal);
      });
    }
    if (!process.channel) return;
    process.channel.unref();
    process.on('disconnect', () => {
      resolve('Parent ended');
    });
  });
}
