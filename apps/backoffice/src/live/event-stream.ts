import type { PassThrough } from 'node:stream';

/** A page that reads slower is cut off: it asks for everything when it connects again. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** When a browser connects again. */
export const AGAIN = 'retry: 2000\n\n';
/** A proxy sees by it that the connection is in use. */
export const STILL_THERE = ': \n\n';

export function send(out: PassThrough, text: string): void {
  if (out.writableEnded || out.destroyed) return;
  if (out.readableLength + out.writableLength > UNREAD_BYTES_MAX) out.destroy();
  else out.write(text);
}
