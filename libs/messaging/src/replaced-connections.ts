import { NodeTransport } from 'nats/lib/src/node_transport';

/**
 * Ends a connection that the client has replaced, or an attempt at one that it has given up. The `nats` client (2.29) only
 * forgets them and leaves their sockets open. A broker that was paused then greets every attempt that was made meanwhile; what
 * it closes later, as nobody answers there, the client takes for the end of its present connection and replaces that, which
 * in turn is closed a few seconds later: a service can go on like this for as long as the broker runs.
 */
export function endReplacedConnections(): void {
  NodeTransport.prototype.discard = function discard(this: NodeTransport): void {
    if (this.done) return;
    // From here on nothing that happens to it is told to the client.
    this.done = true;
    const socket = this.socket as typeof this.socket | undefined;
    socket?.removeAllListeners();
    // What is destroyed may still have something to say, to nobody.
    socket?.on('error', () => undefined);
    socket?.destroy();
    this.signal.resolve();
  };
}
