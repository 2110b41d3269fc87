import { type AddressInfo, createServer, type Server } from 'node:net';
import { eventually } from '@stablecoin/testing/eventually';
import { attackerClient, type Load, type LoadRun } from './load';

const DELETED_WITHIN = { timeoutMs: 15_000, pollMs: 250 };

/** Endpoints of the attacker whose server takes every connection and never answers, while `load` goes on. */
export const withHangingWebhooks =
  (count: number, load: (webhookIds: readonly string[]) => Load): Load =>
  async (run) => {
    const server = await hangingServer();
    const ids = await createWebhooks(run, count, (server.address() as AddressInfo).port);
    try {
      await load(ids)(run);
    } finally {
      await deleteWebhooks(run, ids);
    }
  };

async function hangingServer(): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

async function createWebhooks(run: LoadRun, count: number, port: number): Promise<string[]> {
  const client = attackerClient(run, count);
  const created = Array.from({ length: count }, async (_, number) => {
    const body = { url: `http://127.0.0.1:${port}/${number}` };
    return (await run.tally.outcomeOf(client.post<{ id: string }>('/webhooks', body)))?.body.data.id;
  });
  const ids = (await Promise.all(created)).filter((id) => id !== undefined);
  if (ids.length < count) run.tally.note(`${ids.length} endpoints, not ${count}`);
  return ids;
}

/**
 * The next attack is not to be slowed by deliveries of this one. While the attacker is over a limit, it asks again; what is
 * left after that is missing from the next attack's endpoints, which says so.
 */
async function deleteWebhooks(run: LoadRun, ids: readonly string[]): Promise<void> {
  const client = attackerClient(run, 1);
  const isGone = async (id: string) => [200, 204, 404].includes((await client.delete(`/webhooks/${id}`)).status);
  for (const id of ids)
    await eventually(`endpoint ${id} deleted`, () => isGone(id), DELETED_WITHIN).catch(() => undefined);
}
