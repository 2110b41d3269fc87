/** A load generator's client: connections that stay open, and as little work of its own as it can. */
import { Agent, ClientRequest, IncomingHttpHeaders, request } from 'node:http';
import { performance } from 'node:perf_hooks';

export interface Answer {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
  connection: Connection;
}

/** What a request went over, in the time of `performance.now()`. */
export interface Connection {
  /** When it was given one. */
  givenAt: number;
  /** When that could be written to; later than `givenAt` where it had to be opened first. */
  openAt: number;
  isNew: boolean;
}

export class HttpClient {
  private readonly agent: Agent;
  private readonly target: URL;

  constructor(
    baseUrl: string,
    private readonly apiKey: string,
    connections: number,
  ) {
    this.target = new URL(baseUrl);
    this.agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path, undefined);
  }

  post(path: string, body: object): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body));
  }

  /** @throws Error unless the answer is a success; @returns its `data` */
  async created<Data>(path: string, body: object): Promise<Data> {
    const answer = await this.post(path, body);
    if (answer.status >= 300) throw new Error(`POST ${path} was answered ${answer.status}: ${answer.body}`);
    return (JSON.parse(answer.body) as { data: Data }).data;
  }

  close(): void {
    this.agent.destroy();
  }

  private send(method: string, path: string, body: string | undefined): Promise<Answer> {
    const headers = {
      'x-api-key': this.apiKey,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const { hostname, port, pathname } = this.target;
    const url = { hostname, port, path: `${pathname === '/' ? '' : pathname}${path}` };
    return new Promise((answered, failed) => {
      const sent = request({ ...url, method, headers, agent: this.agent }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          answered({
            status: response.statusCode ?? 0,
            body: Buffer.concat(parts).toString('utf8'),
            headers: response.headers,
            connection,
          }),
        );
        response.on('error', failed);
      });
      const connection = watchConnection(sent);
      sent.on('error', failed);
      sent.end(body);
    });
  }
}

function watchConnection(sent: ClientRequest): Connection {
  const connection = { givenAt: 0, openAt: 0, isNew: false };
  sent.once('socket', (socket) => {
    connection.givenAt = performance.now();
    connection.openAt = connection.givenAt;
    connection.isNew = socket.connecting;
    if (socket.connecting) socket.once('connect', () => (connection.openAt = performance.now()));
  });
  return connection;
}
