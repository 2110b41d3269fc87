/**
 * A proxy before an EVM node that does what nodes and the providers in front of them do: it refuses, it is silent, it is
 * behind, it lies, it forgets. Each fault is of the methods that it names, and of as many of ten requests as it says, drawn
 * from a seed. It sends nothing twice.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { keccak256 } from 'viem';
import { Drawing } from './drawing';

export type NodeFault =
  /** HTTP 429, with the time to wait. */
  | { kind: 'throttled'; retryAfterS?: number }
  /** An error of JSON-RPC: -32005 as providers throttle, -32603 as nodes fail, or what a text says. */
  | { kind: 'error'; code: number; message: string; data?: string }
  /** No answer while the caller waits; the node did not see the request. */
  | { kind: 'silent' }
  /** The connection breaks before the node has the request. */
  | { kind: 'cut-before' }
  /** The connection breaks when the node has done what was asked. */
  | { kind: 'cut-after' }
  | { kind: 'slow'; ms: number }
  /** A transaction is taken, and never passed on. */
  | { kind: 'forgets' }
  /** The answer is another one; it may take time to think of. */
  | { kind: 'lies'; about: (result: unknown, params: readonly unknown[]) => unknown }
  /** The answer is this text, of JSON unless another type is given. */
  | { kind: 'says'; text: string; status?: number; type?: string };

export interface FaultRule {
  fault: NodeFault;
  /** All by default. */
  methods?: readonly string[];
  /** Only requests with such parameters. */
  where?: (params: readonly unknown[]) => boolean;
  /** How many of ten requests: all by default. */
  ofTen?: number;
}

interface Request {
  id: unknown;
  method: string;
  params?: unknown[];
}
interface Answer {
  jsonrpc: '2.0';
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: string };
}

const UNKNOWN_BLOCK = { code: -32000, message: 'unknown block' };

export class NodeFaultProxy {
  /** How often each fault happened. */
  readonly happened = new Map<NodeFault['kind'], number>();
  private listensAt = '';
  private rules: readonly FaultRule[] = [];
  private behindBy = 0;
  private readonly hiddenTransactions = new Set<string>();
  private readonly drawing: Drawing;
  private readonly server: Server;

  private constructor(
    private readonly target: string,
    seed: number,
  ) {
    this.drawing = new Drawing(seed);
    this.server = createServer((incoming, outgoing) => {
      this.take(incoming, outgoing).catch(() => incoming.socket.resetAndDestroy());
    });
  }

  static async inFrontOf(rpcUrl: string, { seed = 1 }: { seed?: number } = {}): Promise<NodeFaultProxy> {
    const proxy = new NodeFaultProxy(rpcUrl, seed);
    await new Promise<void>((listening) => proxy.server.listen(0, '127.0.0.1', listening));
    proxy.listensAt = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
    return proxy;
  }

  get url(): string {
    return this.listensAt;
  }

  /** From now on these, in place of those before; the first that fits a request is drawn. */
  inject(...rules: readonly FaultRule[]): void {
    this.rules = rules;
  }

  /** As a node that has not got the last blocks yet: its tags are behind, and it doesn't know what is newer. */
  lagBy(blocks: number): void {
    this.behindBy = blocks;
  }

  /** As a node that has lost a transaction from its pool, or never heard of it. */
  hide(transactionHash: string): void {
    this.hiddenTransactions.add(transactionHash.toLowerCase());
  }

  /** No faults, no lag, nothing hidden. */
  heal(): void {
    this.rules = [];
    this.behindBy = 0;
    this.hiddenTransactions.clear();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = JSON.parse(await textOf(incoming)) as Request | Request[];
    const requests = Array.isArray(body) ? body : [body];
    const answers: Answer[] = [];
    for (const request of requests) {
      const answer = await this.answer(request, incoming, outgoing);
      if (answer === undefined) return;
      answers.push(answer);
    }
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  }

  /** Undefined where the fault has dealt with the connection itself. */
  private async answer(
    request: Request,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<Answer | undefined> {
    const fault = this.draw(request);
    switch (fault?.kind) {
      case undefined:
        return this.honest(request);
      case 'throttled':
        outgoing.writeHead(429, { 'retry-after': String(fault.retryAfterS ?? 1) });
        outgoing.end();
        return undefined;
      case 'error': {
        const { code, message, data } = fault;
        return { jsonrpc: '2.0', id: request.id, error: { code, message, ...(data !== undefined && { data }) } };
      }
      case 'silent':
        return undefined;
      case 'cut-before':
        incoming.socket.resetAndDestroy();
        return undefined;
      case 'cut-after':
        await this.pass(request);
        incoming.socket.resetAndDestroy();
        return undefined;
      case 'slow':
        await sleep(fault.ms);
        return this.honest(request);
      case 'forgets':
        return { jsonrpc: '2.0', id: request.id, result: this.hashOf(request) };
      case 'lies': {
        const answer = await this.honest(request);
        return { ...answer, result: await fault.about(answer.result, request.params ?? []) };
      }
      case 'says':
        outgoing.writeHead(fault.status ?? 200, { 'content-type': fault.type ?? 'application/json' });
        outgoing.end(fault.text);
        return undefined;
    }
  }

  private draw({ method, params = [] }: Request): NodeFault | undefined {
    const rule = this.rules.find(
      ({ methods, where, ofTen = 10 }) =>
        methods?.includes(method) !== false && where?.(params) !== false && this.drawing.below(10) < ofTen,
    );
    if (rule === undefined) return undefined;
    this.happened.set(rule.fault.kind, (this.happened.get(rule.fault.kind) ?? 0) + 1);
    return rule.fault;
  }

  /** What the node says, less what one that is behind or has forgotten would not know. */
  private async honest(request: Request): Promise<Answer> {
    const asked = String(request.params?.[0]).toLowerCase();
    if (this.hiddenTransactions.has(asked)) return { jsonrpc: '2.0', id: request.id, result: null };
    if (this.behindBy === 0) return this.pass(request);
    const limit = Math.max(Number(await this.ask('eth_blockNumber')) - this.behindBy, 0);
    return this.asOf(limit, request);
  }

  private async asOf(limit: number, request: Request): Promise<Answer> {
    const { id, method, params = [] } = request;
    const result = (value: unknown): Answer => ({ jsonrpc: '2.0', id, result: value });
    if (method === 'eth_blockNumber') return result(toHex(limit));
    if (await this.isAbout(limit, params)) return { jsonrpc: '2.0', id, error: UNKNOWN_BLOCK };
    const behind = params.map((param) => placeAsOf(limit, param));
    const answer = await this.pass({ ...request, params: behind });
    const { result: found } = answer;
    if (method === 'eth_getBlockByNumber' && isTag(params[0]) && params[0] !== 'latest') {
      // The distance of the tag stays the node's own.
      const at = Math.max(Number((found as { number: string }).number) - this.behindBy, 0);
      return this.pass({ ...request, params: [toHex(at), params[1]] });
    }
    if (Array.isArray(found)) return result(found.filter((log) => (heightOf(log) ?? 0) <= limit));
    const height = heightOf(found);
    if (height === undefined || height <= limit) return answer;
    if (method === 'eth_getTransactionByHash')
      return result({ ...(found as object), blockHash: null, blockNumber: null, transactionIndex: null });
    return result(null);
  }

  /** Whether a parameter names a block that is newer than the limit. */
  private async isAbout(limit: number, params: readonly unknown[]): Promise<boolean> {
    for (const param of params) {
      const { blockHash } = { ...(param as { blockHash?: unknown } | null) };
      const block = blockHash === undefined ? null : await this.ask('eth_getBlockByHash', blockHash, false);
      if ((heightOf(block) ?? 0) > limit) return true;
    }
    return false;
  }

  private hashOf({ params = [] }: Request): string {
    return keccak256(params[0] as `0x${string}`);
  }

  private async ask(method: string, ...params: unknown[]): Promise<unknown> {
    return (await this.pass({ id: 0, method, params })).result;
  }

  private async pass({ id, method, params = [] }: Request): Promise<Answer> {
    const response = await fetch(this.target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    return (await response.json()) as Answer;
  }
}

const toHex = (height: number) => `0x${height.toString(16)}`;
const placeAsOf = (limit: number, param: unknown) => (param === 'latest' || param === 'pending' ? toHex(limit) : param);
const isTag = (param: unknown) => param === 'latest' || param === 'safe' || param === 'finalized';

/** Of a block, a transaction, a receipt, or a log. */
function heightOf(found: unknown): number | undefined {
  const one = found as { number?: string; blockNumber?: string } | null | undefined;
  const height = one?.number ?? one?.blockNumber;
  return typeof height === 'string' ? Number(height) : undefined;
}

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
