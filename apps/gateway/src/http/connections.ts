import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { initializeSeries, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { LRUCache } from 'lru-cache';
import type { ClientAddresses } from './client-addresses';

export interface ConnectionBounds {
  connectionsMax: number;
  perAddressMax: number;
}

const REASONS = [
  /** Refused as they came: as many of their address are open as may be; it flooded shortly before; no room in all, or only for others. */
  ...(['address_full', 'address_kept_out', 'full'] as const),
  /** Closed to make room: those that never sent a whole request, and those that wait for their next one. */
  ...(['evicted_silent', 'evicted_waiting'] as const),
  /** Sent requests without end; closed by the scheduler (request-scheduler.ts). */
  'flooded',
] as const;
type Reason = (typeof REASONS)[number];

/** For how long an address is kept out: of a flood, thousands of requests are parsed before its connection ends. */
const KEPT_OUT_MS = 10_000;
const ADDRESSES_KEPT_OUT_MAX = 10_000;

/** How many are looked at, in their order, for one to close: each newcomer takes the same time however many are open. */
const EVICTION_LOOKS_MAX = 32;

/** Kept free for newcomers: the event loop accepts fewer connections than this between two looks at them. */
const FREE_SHARE = 0.01;

/**
 * Bounds the connections, in all and per client address, so that no caller keeps the others out.
 *
 * Where the bound in all comes near, connections on which nothing is under way are closed: first those that never sent
 * a whole request, then those that wait for their next one, the one that waited longest first; none of an address that has
 * fewer open than the newcomer's. Where there is none to close, the newcomer is closed if its address has others: what is left
 * is for addresses that have none.
 *
 * @returns `keepOut`, which closes the connections of the same address that pipeline, and for `KEPT_OUT_MS` each new one
 */
export function boundConnections(
  server: Server,
  addresses: Pick<ClientAddresses, 'ofConnection'>,
  { connectionsMax, perAddressMax }: ConnectionBounds,
): { keepOut: (flooding: Socket) => void } {
  const openMax = connectionsMax - Math.ceil(connectionsMax * FREE_SHARE);
  const openByAddress = new Map<string, Set<Socket>>();
  /** All of the same address; none of a trusted proxy. */
  const ofSocket = new WeakMap<Socket, ReadonlySet<Socket>>();
  /** Sets keep the order in which their members came. */
  const silent = new Set<Socket>();
  const waiting = new Set<Socket>();
  /** More than one where a connection pipelines. */
  const underWay = new WeakMap<Socket, number>();
  const keptOut = new LRUCache<string, true>({ max: ADDRESSES_KEPT_OUT_MAX, ttl: KEPT_OUT_MS });
  let open = 0;

  const makeRoom = (newcomer: Socket): void => {
    const own = ofSocket.get(newcomer)?.size ?? 0;
    const mayBeClosed = (socket: Socket) => socket !== newcomer && (ofSocket.get(socket)?.size ?? 0) >= own;
    if (evict(silent, 'evicted_silent', mayBeClosed) || evict(waiting, 'evicted_waiting', mayBeClosed)) return;
    if (own <= 1) return;
    count('full');
    newcomer.destroy();
  };

  initializeSeries('http_connections_closed_total', { reason: REASONS });

  // The next connection is closed unanswered.
  server.maxConnections = connectionsMax;
  server.on('drop', () => count('full'));
  server.on('connection', (socket) => {
    const address = addresses.ofConnection(socket.remoteAddress ?? '');
    const ofAddress = address === undefined ? undefined : (openByAddress.get(address) ?? new Set());
    const isKeptOut = address !== undefined && keptOut.has(address);
    if ((ofAddress?.size ?? 0) >= perAddressMax || isKeptOut) {
      count(isKeptOut ? 'address_kept_out' : 'address_full');
      socket.destroy();
      return;
    }
    if (address !== undefined && ofAddress) openByAddress.set(address, ofAddress.add(socket));
    open += 1;
    if (ofAddress) ofSocket.set(socket, ofAddress);
    silent.add(socket);
    socket.once('close', () => {
      open -= 1;
      silent.delete(socket);
      waiting.delete(socket);
      ofAddress?.delete(socket);
      if (address !== undefined && ofAddress?.size === 0) openByAddress.delete(address);
    });
    if (open > openMax) makeRoom(socket);
  });
  server.on('request', ({ socket }, response) => {
    silent.delete(socket);
    waiting.delete(socket);
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      underWay.set(socket, left);
      if (left === 0 && !socket.destroyed) waiting.add(socket);
    });
  });
  return {
    keepOut: (flooding: Socket): void => {
      const { remoteAddress = '', destroyed } = flooding;
      // Of one flood, many requests are parsed after its connection was closed.
      if (!destroyed) count('flooded');
      const address = addresses.ofConnection(remoteAddress);
      if (address === undefined) return;
      keptOut.set(address, true);
      for (const socket of openByAddress.get(address) ?? []) {
        if (socket === flooding || (underWay.get(socket) ?? 0) < 2) continue;
        count('flooded');
        socket.destroy();
      }
    },
  };
}

/** Closes the first that may be closed; false where there is none among those that are looked at. */
function evict(sockets: ReadonlySet<Socket>, reason: Reason, mayBeClosed: (socket: Socket) => boolean): boolean {
  let looks = 0;
  for (const socket of sockets) {
    if (mayBeClosed(socket)) {
      count(reason);
      socket.destroy();
      return true;
    }
    looks += 1;
    if (looks >= EVICTION_LOOKS_MAX) return false;
  }
  return false;
}

function count(reason: Reason): void {
  instruments.http_connections_closed_total.inc({ reason });
}
