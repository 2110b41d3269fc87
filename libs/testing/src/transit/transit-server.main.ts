// The key management service for tests as a process: `node transit-server.main.js <port> <file> <token> <key>`. It makes the
// key if it is not there, keeps keys in the file, and says on stdout where it is.

import { TransitServer } from './transit-server';

const [port = '0', file, token = '', key = 'personal-data'] = process.argv.slice(2);

void TransitServer.start({ port: Number(port), file, tokens: { [token]: ['encrypt', 'decrypt', 'keys'] } }).then(
  (server) => {
    server.keys.create(key);
    process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  },
);
