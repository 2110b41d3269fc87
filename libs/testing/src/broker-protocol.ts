import { connect } from 'node:net';

const TIMEOUT_MS = 5_000;

/**
 * Speaks NATS' own protocol as a user, with no client library in between.
 *
 * @param text what is sent after the log-in, such as `PUB subject 0\r\n\r\n`
 * @returns what the broker says up to its PONG, or until it closes the connection
 */
export function brokerAnswer({ hostname, port, username, password }: URL, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const options = { user: username, pass: password, verbose: false, protocol: 1, lang: 'check', version: '1' };
    let received = '';
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the broker does not answer')));
    socket.once('data', () => socket.write(`CONNECT ${JSON.stringify(options)}\r\n${text}PING\r\n`));
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (received.includes('PONG\r\n')) socket.end();
    });
    // The broker resets a refused connection once it has sent the reason.
    socket.on('error', (error) => (received.includes('-ERR') ? resolve(received) : reject(error)));
    socket.on('close', () => resolve(received));
  });
}
