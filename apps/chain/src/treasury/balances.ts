/** What the nodes of a network say of what our addresses hold. Nothing is moved upon the word of one where there are two. */
import { Injectable } from '@nestjs/common';
import { agreedBalance, askEach, Statement } from '@stablecoin/chain-node/agreement';
import { Block, Hex } from '@stablecoin/chain-node/chain-node';
import { ERC20 } from '@stablecoin/chains/erc20';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency, tokenOf } from '@stablecoin/chains/tokens';
import { encodeFunctionData } from 'viem/utils';
import { ChainNodes } from '../nodes/chain-nodes';
import { SendingNode } from '../nodes/watched-node';
import { FEE_BLOCKS, FEE_PERCENTILE, Fees, lowerFees, marketFees } from '../transfers/fees';
import { WalkStore } from '../walk/walk-store';
import { Asset, COINS } from './treasury-store';

/** Questions that are asked of a node at once. */
const AT_ONCE = 10;
/** Between the estimate and the block, the contract's state may change: as much as the sender's lane adds. */
const GAS_ROOM_PERCENT = 30n;

interface AskedHolding {
  address: Hex;
  asset: Asset;
}

@Injectable()
export class Balances {
  constructor(
    private readonly nodes: ChainNodes,
    private readonly walks: WalkStore,
  ) {}

  /** The newest walked block that every node of the network has; undefined while one of them does not answer. */
  async commonBlock(network: EvmNetwork, tip: number): Promise<Block | undefined> {
    const heads = await this.nodes.heads(network);
    if (heads.length < this.nodes.of(network).length) return undefined;
    return this.walks.walkedBlock(network, Math.min(tip, ...heads.map(({ head }) => head.number)));
  }

  /** Left out is what they do not agree on, or not yet. */
  async read<Asked extends AskedHolding>(
    network: EvmNetwork,
    block: Block,
    asked: readonly Asked[],
  ): Promise<(Asked & { units: bigint })[]> {
    const read: (Asked & { units: bigint })[] = [];
    for (let first = 0; first < asked.length; first += AT_ONCE) {
      const answers = asked.slice(first, first + AT_ONCE).map(async (holding) => {
        const units = await this.balance(network, block, holding);
        return units === undefined ? [] : [{ ...holding, units }];
      });
      read.push(...(await Promise.all(answers)).flat());
    }
    return read;
  }

  /** What is offered for a transaction now; undefined while no node says. */
  async fees(network: EvmNetwork): Promise<Fees | undefined> {
    const said = await this.ask(network, (node) => node.feeHistory(FEE_BLOCKS, [FEE_PERCENTILE]));
    const fees = said.flatMap(({ value }) => (value === undefined ? [] : [marketFees(network, value)]));
    const [first, ...others] = fees;
    return first && others.reduce(lowerFees, first);
  }

  /** The gas of a transfer of tokens between addresses of ours; undefined where it would not succeed. */
  async transferGas(
    network: EvmNetwork,
    { currency, from, to, units }: { currency: TokenCurrency; from: Hex; to: Hex; units: bigint },
  ): Promise<bigint | undefined> {
    const token = tokenOf(network, currency);
    if (token === undefined) return undefined;
    const data = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, units] });
    const said = await this.ask(network, (node) => node.estimateGas({ from, to: token.address, data }));
    if (said.length === 0 || said.some(({ value }) => value === undefined)) return undefined;
    const most = said.reduce((gas, { value = 0n }) => (value > gas ? value : gas), 0n);
    return (most * (100n + GAS_ROOM_PERCENT)) / 100n;
  }

  private async balance(network: EvmNetwork, { hash }: Block, { address, asset }: AskedHolding) {
    const token = asset === COINS ? undefined : tokenOf(network, asset);
    const said = await this.ask(network, (node) =>
      token ? node.balanceOf(token.address, address, hash) : node.coinsOf(address, { blockHash: hash }),
    );
    const agreed = agreedBalance(`${asset} of ${address} at ${hash}`, said);
    return agreed.state === 'agreed' ? agreed.value : undefined;
  }

  private ask<Value>(
    network: EvmNetwork,
    question: (node: SendingNode) => Promise<Value>,
  ): Promise<Statement<Value>[]> {
    return askEach(this.nodes.of(network), (node) => this.nodes.ask(network, node, () => question(node)));
  }
}
