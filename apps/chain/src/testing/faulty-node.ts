import { once } from 'node:events';
import { createServer, IncomingMessage, Server } from 'node:http';

interface Question {
  method: string;
  params: unknown[];
}

/** What becomes of a question: an answer in the place of the node's, or a status in the place of any answer. */
export type Fault = (
  question: Question,
  answer: () => Promise<unknown>,
) => Promise<{ result: unknown } | { error: { code: number; message: string } } | { status: number } | undefined>;

/** Stands before a node and spoils what it answers, as nodes do. */
export class FaultyNode {
  /** Undefined passes everything on. */
  fault: Fault | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(url: string): Promise<FaultyNode> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const node = new FaultyNode(server, `http://127.0.0.1:${address.port}`);
    server.on('request', (request, response) => {
      void node.answer(url, request).then(({ status, body }) => {
        const type = body === '' ? 'text/plain' : 'application/json';
        response.writeHead(status, { 'content-type': type }).end(body);
      });
    });
    return node;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(url: string, request: IncomingMessage): Promise<{ status: number; body: string }> {
    const body = (await request.toArray()).join('');
    const { id, ...question } = JSON.parse(body) as Question & { id: number };
    const ask = async () => {
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return (await answer.json()) as { result?: unknown };
    };
    const spoiled = await this.fault?.(question, async () => (await ask()).result);
    if (spoiled && 'status' in spoiled) return { status: spoiled.status, body: '' };
    return { status: 200, body: JSON.stringify(spoiled ? { jsonrpc: '2.0', id, ...spoiled } : await ask()) };
  }
}
