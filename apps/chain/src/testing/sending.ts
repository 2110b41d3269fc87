import { randomBytes, randomUUID } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { ERC20 } from '@stablecoin/chains/erc20';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { cancelTransfer } from '@stablecoin/contracts/chain/cancel-transfer';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { submitTransfer } from '@stablecoin/contracts/chain/submit-transfer';
import { TransferHold, TransferState, TransferView } from '@stablecoin/contracts/chain/views';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { BuiltService } from '@stablecoin/testing/built-service';
import {
  BLOCKS_UNTIL_FINAL,
  startChain as startTestChain,
  TestChain,
  TestChainRequest,
} from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils';
import { chainEnvironment, chainSurroundings, ChainSurroundings, RunningChain, startChain } from './running-service';
import { HOT, PAYOUT_SERVICE, SignerProcess } from './signer-process';

export const aPayee = (): Hex => `0x${randomBytes(20).toString('hex')}`;
const TIMEOUT = { timeoutMs: 20_000 };

/** As it is stored. */
export interface SentAttempt {
  number: number;
  cancels: boolean;
  hash: Hex;
  /** A node has taken it, or judged it. */
  is_broadcast: boolean;
}

/** All that a payout passes through outside of the services of merchants: a chain, its nodes, the sender, the signer. */
export class Sending {
  private readonly ends: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly nats: OwnNats,
    readonly chain: TestChain,
    readonly surroundings: ChainSurroundings,
    readonly signer: SignerProcess,
    /** Looks behind the service's back. */
    readonly owner: Client,
    readonly bus: BusClient,
  ) {}

  static async start(
    request: TestChainRequest = {},
    signerSettings: Readonly<Record<string, string>> = {},
  ): Promise<Sending> {
    const [nats, chain] = await Promise.all([
      startOwnNats(),
      startTestChain({ blocks: 'ordered', hotWallet: HOT, ...request }),
    ]);
    const surroundings = await chainSurroundings(nats.url);
    const owner = new Client({ connectionString: surroundings.database.ownerUrl });
    const signer = new SignerProcess(nats.url, signerSettings);
    await Promise.all([owner.connect(), signer.start(), chain.mine(BLOCKS_UNTIL_FINAL)]);
    const bus = new BusClient(surroundings.connection, surroundings.codec);
    return new Sending(nats, chain, surroundings, signer, owner, bus);
  }

  get network(): EvmNetwork {
    return this.chain.network;
  }

  environment(nodes: readonly string[], more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { [`CHAIN_RPC_${this.network.toUpperCase()}`]: nodes.join(','), CHAIN_REPLACE_AFTER_MS: '500', ...more };
  }

  /** An instance in this process. */
  async serve(nodes: readonly string[] = [this.chain.rpcUrl], more: NodeJS.ProcessEnv = {}): Promise<RunningChain> {
    const service = await startChain(this.surroundings, this.environment(nodes, more), this.nats.url);
    this.ends.unshift(() => service.stop());
    return service;
  }

  /** An instance of its own, which can be killed. */
  async launch(nodes: readonly string[] = [this.chain.rpcUrl], more: NodeJS.ProcessEnv = {}): Promise<BuiltService> {
    const settings = this.environment(nodes, { CHAIN_REPLACE_AFTER_MS: '60000', ...more });
    const process = BuiltService.launch('chain', chainEnvironment(this.surroundings, settings, this.nats.url));
    this.ends.unshift(() => process.kill());
    await process.untilReady();
    return process;
  }

  /** What a killed process held is free again; it would be so by itself after some seconds. */
  async endLeases(): Promise<void> {
    await this.owner.query('UPDATE walk_leases SET expires_at = clock_timestamp()');
    await this.owner.query('UPDATE sender_leases SET expires_at = clock_timestamp()');
  }

  /** An order of a payout, by default of 10 USDT to somebody new. */
  async submit(
    order: { to?: Hex; amount?: string; currency?: TokenCurrency; reference?: string; mode?: 'live' | 'test' } = {},
  ): Promise<TransferView> {
    const { to = aPayee(), amount = '10', currency = 'USDT', reference = randomUUID(), mode } = order;
    const terms = { reference, network: this.network, currency, amount };
    const signed = signEvidence(PAYOUT_SERVICE, { type: 'transfer-order', ...terms, to: to.toLowerCase() });
    const signature = { order: signed.text, order_signature: signed.signature };
    return this.bus.call(submitTransfer, { ...terms, to, ...signature, ...(mode && { mode }) });
  }

  lookUp(reference: string): Promise<TransferView> {
    return this.bus.call(lookUpTransfer, { reference });
  }

  cancel(reference: string): Promise<TransferView> {
    return this.bus.call(cancelTransfer, { reference, actor: 'ada', reason: 'ticket 7' });
  }

  until(
    awaited: string,
    { reference }: { reference: string },
    holds: (view: TransferView) => boolean,
  ): Promise<TransferView> {
    return eventually(
      `${reference}: ${awaited}`,
      async () => {
        const view = await this.lookUp(reference);
        if (holds(view)) return view;
        throw new Error(JSON.stringify(view));
      },
      TIMEOUT,
    );
  }

  becomes(transfer: { reference: string }, state: TransferState): Promise<TransferView> {
    return this.until(state, transfer, (view) => view.state === state);
  }

  isHeld(transfer: { reference: string }, by: TransferHold): Promise<TransferView> {
    return this.until(`held by ${by}`, transfer, (view) => view.held_by === by);
  }

  /** Blocks, one after the other, until it has ended. */
  async mineUntil(transfer: { reference: string }, state: TransferState): Promise<TransferView> {
    return eventually(
      `${transfer.reference}: ${state}`,
      async () => {
        await this.chain.mine();
        const view = await this.lookUp(transfer.reference);
        if (view.state === state) return view;
        throw new Error(JSON.stringify(view));
      },
      { ...TIMEOUT, pollMs: 100 },
    );
  }

  /** In units of the token. */
  async tokensOf(account: Hex, currency: TokenCurrency = 'USDT'): Promise<bigint> {
    const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [account] });
    const { address } = this.chain.token(currency);
    const answer = await this.chain.call<Hex>('eth_call', { to: address, data }, 'latest');
    return decodeFunctionResult({ abi: ERC20, functionName: 'balanceOf', data: answer });
  }

  /** How many transactions of the address the chain has. */
  async nonce(account: Hex = HOT): Promise<number> {
    return Number(await this.chain.call<Hex>('eth_getTransactionCount', account, 'latest'));
  }

  async attempts({ reference }: { reference: string }): Promise<SentAttempt[]> {
    const { rows } = await this.owner.query<SentAttempt>(
      `SELECT number, cancels, '0x' || encode(hash, 'hex') AS hash, broadcast_at IS NOT NULL AS is_broadcast FROM transfer_attempts
       JOIN outgoing_transfers ON id = transfer_id WHERE reference = $1 ORDER BY number`,
      [reference],
    );
    return rows;
  }

  async stop(): Promise<void> {
    for (const end of this.ends) await end();
    await this.owner.end();
    await this.surroundings.close();
    await this.signer.remove();
    await Promise.all([this.nats.stop(), this.chain.stop()]);
  }
}
