import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { TOKENS } from '@stablecoin/chains/tokens';
import { eventually } from '@stablecoin/testing/eventually';
import solc from 'solc';
import { createPublicClient, encodeFunctionData, http, parseAbi } from 'viem';

const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;
const BINARY = require.resolve(`@foundry-rs/anvil-${process.platform}-${ARCHITECTURE}/bin/anvil`);
/** The first account of every anvil, which it signs for. */
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** Enough of a token to be watched: it emits, and keeps no balances. Its decimals are in the first slot of its storage. */
const SOURCE = `
// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;
contract Token {
  uint8 public decimals;
  event Transfer(address indexed from, address indexed to, uint256 value);
  function send(address[] calldata to, uint256[] calldata units) external {
    for (uint256 i = 0; i < to.length; i++) emit Transfer(msg.sender, to[i], units[i]);
  }
}`;
const ABI = parseAbi(['function send(address[] to, uint256[] units)']);

interface Compiled {
  contracts: { 'token.sol': { Token: { evm: { deployedBytecode: { object: string } } } } };
}

function runtimeCode(): Hex {
  const input = {
    language: 'Solidity',
    sources: { 'token.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } }, optimizer: { enabled: true } },
  };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled;
  return `0x${contracts['token.sol'].Token.evm.deployedBytecode.object}`;
}

/** A chain on this machine with the listed tokens at their addresses. It makes blocks only when it is told to. */
export class AnvilChain {
  private readonly client;

  private constructor(
    readonly network: EvmNetwork,
    readonly url: string,
    private readonly process: ChildProcess,
  ) {
    this.client = createPublicClient({ transport: http(url) });
  }

  static async start(network: EvmNetwork, options: { chainId?: number } = {}): Promise<AnvilChain> {
    const port = await freePort();
    const chainId = String(options.chainId ?? CHAINS[network].chainId);
    const flags = ['--silent', '--no-mining', '--slots-in-an-epoch', '2', '--host', '127.0.0.1'];
    const child = spawn(BINARY, [...flags, '--port', String(port), '--chain-id', chainId], { stdio: 'ignore' });
    const chain = new AnvilChain(network, `http://127.0.0.1:${port}`, child);
    await eventually('anvil answers', () => chain.call('eth_chainId', []).then(() => true));
    const code = runtimeCode();
    for (const { address, decimals } of TOKENS.filter((token) => token.network === network)) {
      await chain.call('anvil_setCode', [address, code]);
      await chain.call('anvil_setStorageAt', [address, '0x0', `0x${decimals.toString(16).padStart(64, '0')}`]);
    }
    return chain;
  }

  call<Answer>(method: string, params: readonly unknown[]): Promise<Answer> {
    return this.client.request({ method, params } as never);
  }

  async mine(blocks = 1): Promise<void> {
    await this.call('anvil_mine', [`0x${blocks.toString(16)}`]);
  }

  /** One transaction with these transfers of a token; it is in the next block. @returns its hash */
  async send(token: string, ...transfers: readonly { to: Hex; units: bigint }[]): Promise<Hex> {
    const data = encodeFunctionData({
      abi: ABI,
      functionName: 'send',
      args: [transfers.map(({ to }) => to), transfers.map(({ units }) => units)],
    });
    return this.call<Hex>('eth_sendTransaction', [{ from: SENDER, to: token, data, gas: '0x100000' }]);
  }

  /** Replaces the newest blocks by others: empty ones, but for the transactions that are given, by block. */
  async reorganise(depth: number, transactions: readonly (readonly [raw: Hex, block: number])[] = []): Promise<void> {
    await this.call('anvil_reorg', [depth, transactions]);
  }

  async rawTransaction(hash: Hex): Promise<Hex> {
    return this.call<Hex>('eth_getRawTransactionByHash', [hash]);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
