import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from '../http/client-addresses';
import { RequestQueue } from './request-queue';

/** How many consecutive turns of the event loop may only accept connections. */
const ACCEPTING_TURNS_MAX = 32;
const BEGUN_PER_TURN = 4;

/**
 * Reads nothing from a new connection until the event loop has had a turn that accepted none, or `ACCEPTING_TURNS_MAX` that did;
 * then from a few in each turn, whose addresses take turns. Those of an address that a valid key came from lately are read at
 * once: merchants don't wait behind connections of addresses that are not known.
 *
 * Node accepts one waiting connection per turn, and in the same turn parses whatever has arrived on all others. Thousands of
 * connections at once, each with a few requests, would be accepted as slowly as those are parsed, and a caller with one new
 * connection would wait behind all of them. Without reading they are accepted several times as fast.
 */
export function readConnectionsInTurns(
  server: Server,
  addresses: Pick<ClientAddresses, 'ofConnection' | 'isCaller'>,
): void {
  const [serve] = server.listeners('connection') as [(this: Server, socket: Socket) => void];
  const held = new RequestQueue<Socket>();
  let acceptingTurns = 0;
  let hasAccepted = false;
  let isScheduled = false;

  const begin = (socket: Socket): void => {
    // The server knows it only from here on: one that is stopping would wait for it.
    if (!server.listening) socket.destroy();
    if (socket.destroyed) return;
    serve.call(server, socket);
    socket.resume();
  };
  const schedule = (): void => {
    if (isScheduled || held.isEmpty) return;
    isScheduled = true;
    setImmediate(runTurn);
  };
  const runTurn = (): void => {
    isScheduled = false;
    acceptingTurns = hasAccepted ? acceptingTurns + 1 : 0;
    hasAccepted = false;
    const count = acceptingTurns % (ACCEPTING_TURNS_MAX + 1) === 0 ? BEGUN_PER_TURN : 0;
    for (let begun = 0; begun < count && !held.isEmpty; begun += 1) begin(held.next() as Socket);
    schedule();
  };

  (server as Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
  server.removeListener('connection', serve);
  server.prependListener('connection', (socket) => {
    hasAccepted = true;
    const address = addresses.ofConnection(socket.remoteAddress ?? '');
    if (address === undefined || addresses.isCaller(address)) {
      begin(socket);
      return;
    }
    held.add(address, socket);
    schedule();
  });
}
