import { askEach } from '@stablecoin/chain-node/agreement';
import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { tokenOf } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import {
  ChainStatus,
  chainStatus,
  HotWalletStatus,
  NetworkStatus,
  NodeStatus,
} from '@stablecoin/contracts/chain/status';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { ChainNodes } from '../nodes/chain-nodes';
import { TreasuryReportQuery } from '../treasury/treasury-report';
import { StatusQuery } from './status-query';

/** Shorter than the request may take: a node that is away is part of the answer. */
const HEAD_TIMEOUT_MS = 2_000;

@Handles(chainStatus)
export class ChainStatusHandler {
  constructor(
    private readonly query: StatusQuery,
    private readonly treasury: TreasuryReportQuery,
    private readonly nodes: ChainNodes,
  ) {}

  async execute({ network }: ChainStatus): Promise<{ networks: NetworkStatus[] }> {
    const asked = this.nodes.networks.filter((each) => network === undefined || each === network);
    if (network !== undefined && asked.length === 0) throw new Refusal('not_found');
    return { networks: await asRefusal(() => Promise.all(asked.map((each) => this.statusOf(each)))) };
  }

  private async statusOf(network: EvmNetwork): Promise<NetworkStatus> {
    const [nodes, walk, deposit, payout, open, hot] = await Promise.all([
      this.nodeStatuses(network),
      this.query.walk(network),
      this.query.oldestUnconfirmedDeposit(network),
      this.query.oldestUnconfirmedPayout(network),
      this.query.openTransfers(network),
      this.hotWallet(network),
    ]);
    return {
      ...{ network, chain_id: CHAINS[network].chainId, ...walk, nodes },
      ...{ oldest_unconfirmed_deposit: deposit, oldest_unconfirmed_payout: payout, hot_wallet: hot, ...open },
    };
  }

  /** Asked now, of every node: what the walk last heard may be a while ago. */
  private async nodeStatuses(network: EvmNetwork): Promise<NodeStatus[]> {
    const said = await askEach(this.nodes.of(network), (node) =>
      this.nodes.ask(network, node, () => node.blockByNumber('latest', { timeoutMs: HEAD_TIMEOUT_MS })),
    );
    const furthest = Math.max(...said.map(({ value }) => value?.number ?? -1));
    return said.map(({ node, value, failure }) => ({
      node,
      head: value?.number ?? null,
      behind: value === undefined ? null : furthest - value.number,
      failure: failure === undefined ? null : `${failure.kind}: ${failure.detail}`,
    }));
  }

  private async hotWallet(network: EvmNetwork): Promise<HotWalletStatus | null> {
    const [hot, tokens] = await Promise.all([this.treasury.hot(network), this.treasury.hotTokens(network)]);
    if (!hot) return null;
    return {
      ...{ address: hot.address, block_number: hot.blockNumber, coins_wei: hot.wei },
      tokens: tokens.flatMap(({ currency, units }) => {
        const token = tokenOf(network, currency);
        return token ? [{ currency, units, amount: toLedgerAmount(token, BigInt(units)).amount }] : [];
      }),
    };
  }
}
