/**
 * What the two processes of a trial say to each other over IPC. The launcher started the servers, so that only it knows which
 * processes they are now and can hold them; the fault process asks it for what a fault needs.
 */
import type { ServerName } from './fault-stack';

/** Which process a server is now, and where it listens. */
export interface Whereabouts {
  pid: number;
  port: number;
}

/**
 * `hold` keeps a server from being started again when it ends, until `release`; `stop-at-once` is the database's own emergency
 * stop; the disk is the database's.
 */
export type ServerAction =
  { action: 'hold' | 'release'; server: ServerName } | { action: 'stop-at-once' | 'fill-disk' | 'free-disk' };

export type ServerRequest = ServerAction & { id: number };

/** Done, unless it has an error. */
export interface ServerAnswer {
  id: number;
  error?: string;
}

/** Sent at the beginning and after each restart. */
export interface ServersMoved {
  servers: Record<ServerName, Whereabouts>;
}

export type FromLauncher = ServerAnswer | ServersMoved;
