import { createServer } from 'node:net';
import { join } from 'node:path';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { freePort, rememberedPort, rememberPort, requireConsolePort, requireGatewayPort } from './ports';

const folders = new TemporaryFolders();

afterEach(() => folders.remove());

it('remembers a port while it is free, and draws another when it is taken', async () => {
  const file = join(folders.make(), 'ports.json');
  const port = await rememberedPort(file, 'postgres');
  expect(await rememberedPort(file, 'postgres')).toBe(port);
  const blocker = createServer();
  await new Promise<void>((listening) => blocker.listen(port, '127.0.0.1', listening));
  try {
    expect(await rememberedPort(file, 'postgres')).not.toBe(port);
  } finally {
    blocker.close();
  }
});

it('takes a port that it was told to remember, and forgets no other', async () => {
  const file = join(folders.make(), 'ports.json');
  const nats = await rememberedPort(file, 'nats');
  const port = await freePort();
  rememberPort(file, 'postgres', port);
  expect([await rememberedPort(file, 'postgres'), await rememberedPort(file, 'nats')]).toEqual([port, nats]);
});

it.each(['http', '-1', '65536', '3000.5', ' '])('refuses the PORT "%s", with its name', async (text) => {
  await expect(requireGatewayPort(text)).rejects.toThrow(/^PORT must be a number from 0 to 65535/);
  await expect(requireConsolePort(text)).rejects.toThrow(/^BACKOFFICE_PORT must be a number from 0 to 65535/);
});
