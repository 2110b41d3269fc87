import { Injectable, Logger } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { KnownAddresses } from '../addresses/known-addresses';
import { ChainConfiguration } from '../chain.configuration';
import { ChainNodes } from '../nodes/chain-nodes';
import { transfersIn } from '../nodes/transfer-logs';
import { WatchedNode } from '../nodes/watched-node';
import { Deposit } from '../deposits/deposit';
import { decideDeposits, DepositChanges, NO_CHANGES, WalkedChange } from './decide-deposits';
import { FinalHeights } from './finality';
import { NodeAgreement } from './node-agreement';
import { Sighting, sightingsIn } from './sightings';
import { WalkStore } from './walk-store';

const NONE: ReadonlySet<string> = new Set();

/** What no list has as a token can't be credited, so that nodes don't have to agree on it. */
const isBecomingFinal = ({ standing, currency }: Deposit): boolean => standing === 'final' && currency !== null;

export interface NumberedBlock {
  number: number;
  hash: Hex;
}

/** What was found out about the chain, without the transfers that are in its blocks. */
interface Found {
  blocks: readonly NumberedBlock[];
  replaced: readonly { hash: Hex }[];
  /** Undefined where nothing is to become final. */
  heights: FinalHeights | undefined;
  /** Undefined where nothing is to be gone. */
  settled?: FinalHeights | undefined;
}

/** Looks into blocks for transfers to our addresses, and decides what follows for deposits. */
@Injectable()
export class DepositFinder {
  private readonly log = new Logger(DepositFinder.name);

  constructor(
    private readonly nodes: ChainNodes,
    private readonly agreement: NodeAgreement,
    private readonly store: WalkStore,
    private readonly addresses: KnownAddresses,
    private readonly configuration: ChainConfiguration,
  ) {}

  async changes(network: EvmNetwork, node: WatchedNode, found: Found): Promise<DepositChanges> {
    const sightings = await this.sightings(network, node, found.blocks);
    const replaced = new Set(found.replaced.map(({ hash }) => hash));
    const change = { network, replaced, sightings, heights: found.heights, settled: found.settled };
    if (replaced.size + sightings.length === 0 && !found.heights) return NO_CHANGES;
    const known = await this.store.concernedBy(network, change);
    const changes = await this.agreed(decideDeposits(known, change), known, change);
    this.reportBrokenFinality(network, changes);
    return changes;
  }

  /** The changes as they are once the nodes were asked again for what would be final by them. */
  private async agreed(
    changes: DepositChanges,
    known: readonly Deposit[],
    change: WalkedChange,
  ): Promise<DepositChanges> {
    const becomingFinal = [...changes.opened, ...changes.moved].filter(isBecomingFinal);
    const absent = becomingFinal.length === 0 ? NONE : await this.agreement.absent(change.network, becomingFinal);
    if (absent === undefined) return decideDeposits(known, { ...change, heights: undefined });
    for (const { id, transactionHash, blockNumber } of becomingFinal.filter((deposit) => absent.has(deposit.id)))
      this.log.error(
        `${change.network}: deposit ${id}: no node has the transfer of transaction ${transactionHash} in block ` +
          `${blockNumber}, where it was seen`,
      );
    return absent.size === 0 ? changes : decideDeposits(known, { ...change, absent });
  }

  private async sightings(
    network: EvmNetwork,
    node: WatchedNode,
    blocks: readonly NumberedBlock[],
  ): Promise<Sighting[]> {
    const logs = await Promise.all(
      blocks.map(async ({ number, hash }) => {
        const found = await this.nodes.ask(network, node, () => transfersIn(node, hash));
        // The height is that of the walk: what is final depends on it.
        return found.map((log) => ({ ...log, blockNumber: number }));
      }),
    );
    const recipients = logs.flat().map(({ to }) => to);
    if (recipients.length === 0) return [];
    const owners = await this.addresses.ownersOf(recipients);
    const terms = { network, finality: this.configuration.finality(network) };
    return logs.flatMap((each) => sightingsIn(terms, each, owners));
  }

  private reportBrokenFinality(network: EvmNetwork, { finalityBroken }: DepositChanges): void {
    for (const { id, transactionHash, blockNumber } of finalityBroken) {
      instruments.chain_finality_broken_total.inc({ network });
      this.log.error(
        `${network}: finality is broken: deposit ${id} of transaction ${transactionHash} was final in block ${blockNumber}, ` +
          'which was replaced',
      );
    }
  }
}
