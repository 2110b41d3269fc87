import { NodeTransport } from 'nats/lib/src/node_transport';

/**
 * Closes the sockets of connections that the `nats` client (2.29) has replaced and of attempts that it has given up:
 * the client only forgets them. A broker that was paused would greet every such attempt, get no answer and close it a
 * few seconds later. The client takes that for the end of its present connection and replaces it; the broker closes the
 * replaced one later too, and so on for as long as it runs.
 */
export function endReplacedConnections(): void {
  NodeTransport.prototype.discard = function discard(this: NodeTransport): void {
    if (this.done) return;
    // From here on the client ignores what happens on this connection.
    this.done = true;
    const socket = this.socket as typeof this.socket | undefined;
    socket?.removeAllListeners();
    // A socket may still emit an error while it is destroyed; without a listener that would end the process.
    socket?.on('error', () => undefined);
    socket?.destroy();
    this.signal.resolve();
  };
}
