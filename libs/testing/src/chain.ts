// A chain of a spec's own: real anvil with the tokens of its network at their real addresses. Blocks come as the spec says.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import { ERC20 } from '@stablecoin/chains/erc20';
import { type Token, type TokenCurrency, tokenOf } from '@stablecoin/chains/tokens';
import { type Address, addressOfKey } from '@stablecoin/local-stack/chains/accounts';
import { type Anvil, startAnvil } from '@stablecoin/local-stack/chains/anvil';
import { requireAnvil } from '@stablecoin/local-stack/chains/anvil-binary';
import type { AnvilRpc, Parameter } from '@stablecoin/local-stack/chains/anvil-rpc';
import { BlockProducer } from '@stablecoin/local-stack/chains/block-producer';
import { setCoins, setUpChain } from '@stablecoin/local-stack/chains/chain-set-up';
import { saveChain } from '@stablecoin/local-stack/chains/saved-chain';
import { freePort } from '@stablecoin/local-stack/ports';
import { artifactOf, type ContractName } from '@stablecoin/test-tokens/artifacts';
import { type Abi, createWalletClient, encodeFunctionData, type Hash, type Hex, http, toHex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { eventually } from './eventually';

export { hotWalletAddress } from '@stablecoin/local-stack/chains/accounts';
export { BLOCKS_UNTIL_FINAL } from '@stablecoin/local-stack/chains/anvil';
export type { Address };

/** Enough for each call of our test contracts, so that a transaction that is going to be reverted can be sent as well. */
const GAS = 500_000n;

export interface TestChainRequest {
  /** Ethereum by default. */
  network?: EvmNetwork;
  /**
   * `each` transaction has a block at once (the default), `ordered` ones come with `mine`, and with `steady` ones there is
   * one in each `blockTimeMs` while there is something to put into them or to make final, as in the local stack.
   */
  blocks?: 'each' | 'ordered' | 'steady';
  blockTimeMs?: number;
  /** Funded as the local stack's is. */
  hotWallet?: Address;
}

/** What a transaction is sent with, where it differs from anvil's own choice. */
export interface Sending {
  nonce?: number;
  gas?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
}

export class TestChain {
  readonly faucet: PrivateKeyAccount;
  private producer: BlockProducer | undefined;

  private constructor(
    readonly network: EvmNetwork,
    private readonly request: TestChainRequest,
    /** Where it is saved, and its log. */
    readonly folder: string,
    private readonly port: number,
    private readonly faucetPrivateKey: Hex,
    private anvil: Anvil,
  ) {
    this.faucet = privateKeyToAccount(faucetPrivateKey);
  }

  static async start(request: TestChainRequest = {}): Promise<TestChain> {
    const { network = 'erc20', hotWallet } = request;
    const folder = mkdtempSync(join(tmpdir(), 'chain-'));
    const port = await freePort();
    try {
      const anvil = await launch(request, folder, port);
      const chain = new TestChain(network, request, folder, port, generatePrivateKey(), anvil);
      await setUpChain(anvil.rpc, { network, faucet: chain.faucet.address, hotWallet });
      await chain.produce();
      return chain;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get rpcUrl(): string {
    return this.rpc.url;
  }

  get rpc(): AnvilRpc {
    return this.anvil.rpc;
  }

  get chainId(): number {
    return CHAINS[this.network].chainId;
  }

  get pid(): number {
    return this.anvil.pid;
  }

  call<Result>(method: string, ...params: Parameter[]): Promise<Result> {
    return this.rpc.call<Result>(method, ...params);
  }

  token(currency: TokenCurrency): Token {
    const token = tokenOf(this.network, currency);
    if (token === undefined) throw new Error(`There is no ${currency} on ${this.network}`);
    return token;
  }

  /** A new account with a key of its own, and with coins to pay for gas. */
  async account(wei = 10n ** 18n): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    await setCoins(this.rpc, account.address, wei);
    return account;
  }

  /** Tokens from the faucet. */
  sendTokens(currency: TokenCurrency, to: Address, units: bigint, sending: Sending = {}): Promise<Hash> {
    return this.callToken(currency, 'transfer', [to, units], this.faucet, sending);
  }

  /** A call of a listed token, by its owner (the faucet) unless another account is given. */
  callToken(
    currency: TokenCurrency,
    functionName: string,
    args: readonly unknown[],
    from: PrivateKeyAccount = this.faucet,
    sending: Sending = {},
  ): Promise<Hash> {
    const { address } = this.token(currency);
    return this.callContract('UsdtLikeToken', address, functionName, args, from, sending);
  }

  /** What an account has of a listed token, in its units, by the latest block. */
  async unitsOf(currency: TokenCurrency, owner: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [owner] });
    return BigInt(await this.call<Hex>('eth_call', { to: this.token(currency).address, data }, 'latest'));
  }

  callContract(
    contract: ContractName,
    address: Address,
    functionName: string,
    args: readonly unknown[],
    from: PrivateKeyAccount = this.faucet,
    sending: Sending = {},
  ): Promise<Hash> {
    const data = encodeFunctionData({ abi: artifactOf(contract).abi as Abi, functionName, args });
    return this.send(from, { to: address, data, ...sending });
  }

  /**
   * Coins, or any other call; signed here, as anvil has no keys. Where each transaction has its block at once, it has it
   * when this resolves, unless a nonce was given, which may be one that has to wait.
   */
  async send(
    account: PrivateKeyAccount,
    { gas = GAS, ...transaction }: Sending & { to: Address; value?: bigint; data?: Hex },
  ): Promise<Hash> {
    const client = createWalletClient({ account, transport: http(this.rpcUrl) });
    const hash = await client.sendTransaction({ chain: null, gas, ...transaction });
    if ((this.request.blocks ?? 'each') === 'each' && transaction.nonce === undefined)
      await eventually(`a block with ${hash}`, async () => (await this.receiptOf(hash)) !== null);
    return hash;
  }

  /** Puts a contract of ours at an address, by default at one that no other has. */
  async deploy(contract: ContractName, address: Address = addressOfKey(generatePrivateKey())): Promise<Address> {
    await this.call('anvil_setCode', address, artifactOf(contract).deployedCode);
    return address;
  }

  /** As the node has it; null before it is in a block. */
  receiptOf(hash: Hash): Promise<{ status: Hex; blockHash: Hash; blockNumber: Hex } | null> {
    return this.call('eth_getTransactionReceipt', hash);
  }

  /** The bytes of a transaction that is in a block or waits for one. */
  rawOf(hash: Hash): Promise<Hex> {
    return this.call('eth_getRawTransactionByHash', hash);
  }

  async mine(blocks = 1): Promise<void> {
    await this.call('anvil_mine', toHex(blocks));
  }

  async height(): Promise<number> {
    return Number(await this.call<string>('eth_blockNumber'));
  }

  /**
   * Replaces the last `depth` blocks by as many others, also below `finalized`; their transactions are gone from the chain
   * and from the pool, except those that are given again as raw bytes with the place of their block.
   */
  async reorganise(depth: number, again: readonly (readonly [raw: Hex, block: number])[] = []): Promise<void> {
    await this.call('anvil_reorg', depth, again);
  }

  /** For `revert`, once. */
  snapshot(): Promise<string> {
    return this.call('evm_snapshot');
  }

  async revert(snapshot: string): Promise<void> {
    if (!(await this.call<boolean>('evm_revert', snapshot))) throw new Error(`There is no snapshot ${snapshot}`);
  }

  /** As the local stack does of its own accord; a chain of this kind that is killed comes back as it was here. */
  save(): Promise<void> {
    return saveChain(this.rpc, this.folder);
  }

  /** Ends anvil as a crash would. */
  async kill(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.anvil.onUnexpectedExit(() => resolve()));
    process.kill(this.anvil.pid, 'SIGKILL');
    await ended;
    await this.producer?.abandon();
  }

  /** The same chain at the same place, as it was saved last. */
  async revive(): Promise<void> {
    this.anvil = await launch(this.request, this.folder, this.port);
    await setUpChain(this.rpc, {
      network: this.network,
      faucet: addressOfKey(this.faucetPrivateKey),
      hotWallet: this.request.hotWallet,
    });
    await this.produce();
  }

  async stop(): Promise<void> {
    await this.producer?.abandon();
    await this.anvil.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async produce(): Promise<void> {
    if (this.request.blocks !== 'steady') return;
    this.producer = new BlockProducer({
      rpc: this.rpc,
      save: () => this.save(),
      onFailure: () => undefined,
      blockTimeMs: this.request.blockTimeMs,
    });
    await this.producer.start();
  }
}

/** What stands at the address of one of our contracts. */
export const codeOf = (contract: ContractName): Hex => artifactOf(contract).deployedCode;

/** @see TestChain.start */
export const startChain = (request: TestChainRequest = {}): Promise<TestChain> => TestChain.start(request);

function launch({ network = 'erc20', blocks = 'each' }: TestChainRequest, folder: string, port: number) {
  return startAnvil({
    program: requireAnvil(process.env),
    chainId: CHAINS[network].chainId,
    folder,
    log: join(folder, 'anvil.log'),
    port: () => Promise.resolve(port),
    automine: blocks === 'each',
  });
}
