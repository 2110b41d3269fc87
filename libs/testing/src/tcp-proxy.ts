/**
 * A TCP proxy that can break what passes through it. Each connection of a client gets one to the server; bytes go through
 * as they come, until someone cuts the pair, slows it down, or freezes it: a frozen pair stays open on both sides and
 * carries nothing, not even its end, as when a cable is pulled.
 */
import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';

/** Bytes held back by a delay, at the most, before the sender is paused. */
const HELD_BYTES_MAX = 1024 * 1024;

export class Passage {
  private frozen = false;
  private delayMs = 0;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly onEnd: (passage: Passage) => void,
  ) {
    this.connect(client, server);
    this.connect(server, client);
  }

  /** Both sides learn at once that the connection is gone, whatever was on its way. */
  cut(): void {
    this.client.resetAndDestroy();
    this.server.resetAndDestroy();
    this.onEnd(this);
  }

  /** Nothing passes any more, and neither side is informed. */
  freeze(): void {
    this.frozen = true;
    this.client.pause();
    this.server.pause();
  }

  /** The server loses the connection; the client is not informed. */
  halve(): void {
    this.freeze();
    this.server.resetAndDestroy();
  }

  slowDown(delayMs: number): void {
    this.delayMs = delayMs;
  }

  private connect(from: Socket, to: Socket): void {
    const held: { chunk: Buffer; passesAt: number }[] = [];
    let heldBytes = 0;
    const pass = (chunk: Buffer) => {
      if (!to.destroyed && !to.write(chunk)) {
        from.pause();
        to.once('drain', () => this.frozen || from.resume());
      }
    };
    // One timer for all, so that what came first passes first, also when the delay has changed meanwhile.
    const release = () => {
      for (let [first] = held; first && first.passesAt <= Date.now(); [first] = held) {
        held.shift();
        heldBytes -= first.chunk.length;
        pass(first.chunk);
      }
      if (held[0]) setTimeout(release, held[0].passesAt - Date.now());
      else if (!this.frozen && !to.writableNeedDrain) from.resume();
    };
    from.on('data', (chunk: Buffer) => {
      if (this.delayMs === 0 && held.length === 0) {
        pass(chunk);
        return;
      }
      held.push({ chunk, passesAt: Date.now() + this.delayMs });
      heldBytes += chunk.length;
      if (heldBytes > HELD_BYTES_MAX) from.pause();
      if (held.length === 1) setTimeout(release, this.delayMs);
    });
    from.on('end', () => this.frozen || to.end());
    from.on('error', () => this.frozen || to.destroy());
    from.on('close', () => {
      if (this.frozen) return;
      to.destroy();
      this.onEnd(this);
    });
  }
}

export class TcpProxy {
  private readonly passages = new Set<Passage>();
  private frozen = false;

  private constructor(private readonly listener: Server) {}

  /** @param target the server's port at the moment of each connection */
  static async listen(target: () => number): Promise<TcpProxy> {
    const listener = createServer({ noDelay: true });
    const proxy = new TcpProxy(listener);
    listener.on('connection', (client) => proxy.accept(client, target()));
    await new Promise<void>((done, failed) => {
      listener.once('error', failed);
      listener.listen(0, '127.0.0.1', done);
    });
    return proxy;
  }

  /** @returns the proxy and how to reach the server of that URL through it */
  static async inFrontOf(url: string): Promise<{ proxy: TcpProxy; through: string }> {
    const through = new URL(url);
    const port = Number(through.port);
    const proxy = await TcpProxy.listen(() => port);
    through.port = String(proxy.port);
    return { proxy, through: through.href };
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** The connections that are open, frozen ones included. */
  open(): readonly Passage[] {
    return [...this.passages];
  }

  /** Freezes what is open, and whatever is opened later. */
  freeze(): void {
    this.frozen = true;
    for (const passage of this.passages) passage.freeze();
  }

  async close(): Promise<void> {
    for (const passage of this.passages) passage.cut();
    await new Promise((done) => this.listener.close(done));
  }

  private accept(client: Socket, port: number): void {
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    const opened = new Passage(client, server, (passage) => this.passages.delete(passage));
    this.passages.add(opened);
    if (this.frozen) opened.freeze();
  }
}
