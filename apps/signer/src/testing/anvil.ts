// A real EVM node, the one that the local chain runs on, as Ethereum.

import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { eventually } from '@stablecoin/testing/eventually';

const BINARY = require.resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');

export class Anvil {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(chainId: number): Promise<Anvil> {
    const port = await freePort();
    const child = spawn(BINARY, ['--port', String(port), '--chain-id', String(chainId), '--silent', '--accounts', '1']);
    const anvil = new Anvil(child, `http://127.0.0.1:${port}`);
    try {
      await eventually('anvil answers', () => anvil.ask('eth_chainId'));
      return anvil;
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  }

  async ask<Result>(method: string, ...params: unknown[]): Promise<Result> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } };
    if (error) throw new Error(error.message);
    return result;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill();
    await ended;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
