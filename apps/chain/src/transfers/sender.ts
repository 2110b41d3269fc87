import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { isNodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { initializeSeries } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { ChainNodes } from '../nodes/chain-nodes';
import { ChainNow, ChainsNow } from './chain-now';
import { LanePass } from './lane-pass';
import { LaneLost, LaneStore } from './lane-store';
import { SIGNING_OBSTACLES } from './refusals';
import { Lane } from './transfer';

const FIRST_RETRY_MS = 500;
const RETRY_MS_MAX = 10_000;
/** Of one network, side by side: a busy hot wallet does not hold up sweeps, and a thousand sweeps do not hold up nodes. */
const LANES_AT_ONCE = 4;
/** Between an order and the pass that takes it: what is ordered meanwhile goes with the same questions to the nodes. */
const GATHERING_MS = 250;

/** Sends what was ordered, each network in a loop of its own: what holds up one does not hold up another. */
@Injectable()
export class Sender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Sender.name);
  private readonly loops: ReadonlyMap<EvmNetwork, BackgroundLoop>;

  constructor(
    private readonly nodes: ChainNodes,
    private readonly chains: ChainsNow,
    private readonly lanes: LanePass,
    private readonly store: LaneStore,
    private readonly configuration: ChainConfiguration,
  ) {
    this.loops = new Map(nodes.networks.map((network) => [network, this.loopOf(network)]));
  }

  onApplicationBootstrap(): void {
    const network = this.nodes.networks;
    initializeSeries('chain_signer_refusals_total', { network, reason: SIGNING_OBSTACLES });
    initializeSeries('chain_transfer_replacements_total', { network, cancels: ['true', 'false'] });
    initializeSeries('chain_transfers_ended_total', {
      ...{ network, outcome: ['completed', 'reverted', 'cancelled', 'transfer_missing'] },
    });
    this.loops.forEach((loop) => loop.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.loops.values()].map((loop) => loop.stop()));
    // Another instance goes on at once. If this fails, it goes on when the leases end.
    await Promise.all(this.nodes.networks.map((network) => this.store.release(network))).catch(() => undefined);
  }

  /** There is a new order, or a decision about one. */
  wake(network: EvmNetwork): void {
    this.loops.get(network)?.wake();
  }

  private loopOf(network: EvmNetwork): BackgroundLoop {
    let failures = 0;
    return new BackgroundLoop({
      gatherMs: GATHERING_MS,
      pass: async (signal) => {
        const lanes = await this.store.lanes(network);
        // Nothing is asked of nodes while there is nothing to send.
        if (lanes.length > 0) await this.passAll(lanes, await this.chains.of(network), signal);
        failures = 0;
        return this.configuration.pollMs;
      },
      failed: (error) => {
        failures += 1;
        const afterMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), RETRY_MS_MAX);
        this.report(network, `trying again in ${afterMs} ms`, error);
        return afterMs;
      },
    });
  }

  private async passAll(lanes: readonly Lane[], chain: ChainNow, signal: AbortSignal): Promise<void> {
    const left = [...lanes];
    const work = async () => {
      for (let lane = left.shift(); lane && !signal.aborted; lane = left.shift()) await this.passOne(lane, chain);
    };
    await Promise.all(Array.from({ length: LANES_AT_ONCE }, work));
  }

  /** What goes wrong with one lane is tried again with the next pass, and holds up no other. */
  private async passOne(lane: Lane, chain: ChainNow): Promise<void> {
    try {
      await this.lanes.pass(lane, chain);
    } catch (error) {
      if (!(error instanceof LaneLost)) this.report(lane.network, `${lane.fromAddress} did not go on`, error);
    }
  }

  private report(network: EvmNetwork, what: string, error: unknown): void {
    this.log[isNodeFailure(error) ? 'warn' : 'error']({ msg: `${network}: ${what}`, err: error });
  }
}
