// An identity provider as a process, forked with an IPC channel: `identity-provider.main.js <client id> <client secret>`. It signs in
// whom its page is told the name of, for consoles of this machine, and says where it is.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [client_id = '', client_secret = ''] = process.argv.slice(2);

async function start(): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { default: Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [{ client_id, client_secret, redirect_uris: [`${issuer}/unused`], response_types: ['code'] }],
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  // A stack takes a free port once the provider is there.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => new URL(uri).hostname === 'localhost';
  server.on('request', provider.callback());
  process.send?.({ issuer });
}

process.on('disconnect', () => process.exit());
void start();
