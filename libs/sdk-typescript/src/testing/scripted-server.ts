import { createServer, IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

/** One request as it arrived. */
export interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What the server does with one request. */
export type Step = (response: ServerResponse, arrived: Arrived) => void;

/** A server on this machine that does with each request what the next step says, and keeps what arrived. */
export class ScriptedServer {
  readonly arrived: Arrived[] = [];
  private steps: Step[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server);
    server.on('request', (request, response) => void scripted.take(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return scripted;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api`;
  }

  /** From now on: these steps, the last of them for all further requests. */
  script(...steps: Step[]): void {
    this.arrived.length = 0;
    this.steps = steps;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const arrived = { method, url, headers, body: Buffer.concat(parts) };
    this.arrived.push(arrived);
    const step = this.steps.length > 1 ? this.steps.shift() : this.steps[0];
    step?.(response, arrived);
  }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export const success =
  (data: unknown, beside: object = {}, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(200, { ...JSON_TYPE, ...headers }).end(JSON.stringify({ status: 'success', data, ...beside }));

export const refusal =
  (status: number, code: string, headers: Record<string, string> = {}, beside: object = {}): Step =>
  (response) => {
    const body = { status: 'error', code, message: `It is ${code}.`, request_id: 'r-1', ...beside };
    response.writeHead(status, { ...JSON_TYPE, 'x-request-id': 'r-1', ...headers }).end(JSON.stringify(body));
  };

/** The connection ends before an answer. */
export const cut: Step = (response) => response.socket?.resetAndDestroy();

/** The connection ends in the middle of the answer. */
export const cutInTheMiddle: Step = (response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
  response.write('{"status":"success","data":{"id":"w-', () => response.socket?.resetAndDestroy());
};

/** A success that a proxy shortened, and closed as if it were whole. */
export const shortened: Step = (response) =>
  response.writeHead(200, JSON_TYPE).end('{"status":"success","data":{"id":"w-');

/** No answer at all. */
export const silence: Step = () => undefined;

export const page =
  (status: number, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Bad gateway</h1>');
