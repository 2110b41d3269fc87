/**
 * An account of test money, from which deposits of test merchants are sent. A transfer is stored with its bytes before it is
 * sent, so that the same command sends the same bytes.
 *
 * The nonce is the node's, not a lane's of ours: a developer has the same key and sends with tools of his own. Where another
 * transaction has taken the nonce of one that is stored, that one can be in no block any more, and is signed again.
 */
import { Injectable, Logger } from '@nestjs/common';
import { ChainNode, Hash, Hex } from '@stablecoin/chain-node/chain-node';
import { JsonRpcNode } from '@stablecoin/chain-node/json-rpc-node';
import { isNodeFailure, NodeFailure } from '@stablecoin/chain-node/node-failure';
import { requireChain } from '@stablecoin/chain-node/required-chain';
import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { ERC20 } from '@stablecoin/chains/erc20';
import { Token, tokenOf } from '@stablecoin/chains/tokens';
import { toUnits } from '@stablecoin/chains/units';
import { SimulateChainDeposit } from '@stablecoin/contracts/chain/simulate-deposit';
import { TOO_MANY_DECIMALS } from '@stablecoin/contracts/wire/fields/amount';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { encodeFunctionData, keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { ChainConfiguration } from '../chain.configuration';
import { DepositPlace, FaucetStore, SignedTransfer } from './faucet-store';
import { requireWorthlessChain } from '../nodes/worthless-chains';

/** More than a transfer of any of the tokens takes. */
const GAS = 150_000n;
const PRIORITY_FEE = 2_000_000_000n;
/** Of each question: several of them have to fit into a merchant's request. */
const NODE_TIMEOUT_MS = 1_500;
const ATTEMPTS_MAX = 4;

interface Order {
  command: SimulateChainDeposit;
  network: EvmNetwork;
  node: ChainNode;
  account: PrivateKeyAccount;
  token: Token;
  to: Hex;
  units: bigint;
}

@Injectable()
export class Faucet {
  private readonly log = new Logger(Faucet.name);
  private readonly account: PrivateKeyAccount | null;
  private readonly nodes: ReadonlyMap<string, ChainNode>;
  private readonly checked = new Set<ChainNode>();
  /** By network: the next transfer's nonce is known when the one before it is at the node. */
  private readonly turns = new Map<EvmNetwork, Promise<unknown>>();

  constructor(
    configuration: ChainConfiguration,
    private readonly store: FaucetStore,
  ) {
    this.account = configuration.faucetKey && privateKeyToAccount(configuration.faucetKey);
    this.nodes = new Map(
      Object.entries(configuration.nodes()).flatMap(([network, [url]]) =>
        url === undefined ? [] : [[network, new JsonRpcNode({ url, timeoutMs: NODE_TIMEOUT_MS })]],
      ),
    );
  }

  /**
   * The transaction of this command, which the node has when this resolves.
   *
   * @throws Refusal
   */
  async send(command: SimulateChainDeposit, place: DepositPlace): Promise<Hash> {
    const { network } = command;
    const [node, account] = [this.nodes.get(network), this.account];
    if (!node || !account) throw Refusal.ofField('network', 'no_faucet', 'has no faucet: send tokens yourself');
    const token = tokenOf(network, place.currency as Currency);
    if (!token) throw Refusal.ofField('network', 'unsupported_network', 'must be a network of the currency');
    const units = unitsOf(token, command.amount);
    const order = { command, network, node, account, token, to: place.address, units };
    const before = this.turns.get(network) ?? Promise.resolve();
    const sent = before.then(() => this.carryOut(order));
    this.turns.set(
      network,
      sent.catch(() => undefined),
    );
    return sent;
  }

  private async carryOut(order: Order): Promise<Hash> {
    try {
      await this.check(order);
      return await this.broadcast(order, (await this.store.find(order.command)) ?? (await this.first(order)));
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      if (error.kind === 'insufficient-funds') throw isEmpty();
      this.log.warn({ msg: `the faucet of ${order.network} could not send`, err: error });
      throw new Refusal('unavailable');
    }
  }

  /** Once per process: a node that was away as the process began may be any chain's. */
  private async check({ node, network }: Order): Promise<void> {
    if (this.checked.has(node)) return;
    await requireChain(node, network);
    await requireWorthlessChain(node, network);
    this.checked.add(node);
  }

  private async first(order: Order): Promise<SignedTransfer> {
    const { node, token, account, units } = order;
    const head = await node.blockByNumber('latest');
    if (!head || (await node.balanceOf(token.address, account.address, head.hash)) < units) throw isEmpty();
    const transfer = await this.sign(order);
    await this.store.add(order.command, transfer);
    return transfer;
  }

  private async broadcast(order: Order, stored: SignedTransfer): Promise<Hash> {
    let transfer = stored;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await order.node.broadcast(transfer.raw);
        return transfer.hash;
      } catch (error) {
        if (!isNodeFailure(error, 'nonce-too-low', 'replacement-underpriced') || attempt === ATTEMPTS_MAX) throw error;
        if (await order.node.transactionByHash(transfer.hash)) return transfer.hash;
        const next = await this.sign(order);
        await this.store.replace(order.command, transfer, next);
        transfer = next;
      }
    }
  }

  private async sign({ node, network, account, token, to, units }: Order): Promise<SignedTransfer> {
    const [nonce, head] = await Promise.all([node.nonceOf(account.address, 'pending'), node.blockByNumber('latest')]);
    const raw = await account.signTransaction({
      ...{ type: 'eip1559', chainId: CHAINS[network].chainId, nonce, to: token.address, gas: GAS },
      data: encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, units] }),
      maxPriorityFeePerGas: PRIORITY_FEE,
      maxFeePerGas: 2n * (head?.baseFeePerGas ?? 0n) + PRIORITY_FEE,
    });
    return { nonce, raw, hash: keccak256(raw) };
  }
}

/** What the ledger could not credit to the last digit is not sent. */
function unitsOf(token: Token, amount: string): bigint {
  if (Money.parse(token.currency, amount).isFinerThanCurrency())
    throw Refusal.ofField('amount', TOO_MANY_DECIMALS, "must not be finer than the currency's smallest unit");
  return toUnits(token, amount);
}

const isEmpty = () => Refusal.ofField('amount', 'faucet_empty', "is more than the network's faucet has");
