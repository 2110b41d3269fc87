import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { initializeSeries } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { ChainNodes, COUNTED_FAILURES } from '../nodes/chain-nodes';
import { NetworkWalk } from './network-walk';
import { LeaseLost, WalkStore } from './walk-store';

/** How often an instance without a network's lease tries to take it. */
const LEASE_POLL_MS = 3_000;
const FIRST_RETRY_MS = 500;
const RETRY_MS_MAX = 30_000;

/** Walks the networks, each in a loop of its own: what holds up one does not hold up another. */
@Injectable()
export class Walker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Walker.name);
  private readonly loops: readonly BackgroundLoop[];

  constructor(
    private readonly nodes: ChainNodes,
    private readonly walk: NetworkWalk,
    private readonly store: WalkStore,
    private readonly configuration: ChainConfiguration,
  ) {
    this.loops = nodes.networks.map((network) => this.loopOf(network));
  }

  onApplicationBootstrap(): void {
    const network = this.nodes.networks;
    initializeSeries('chain_node_errors_total', { network, kind: COUNTED_FAILURES });
    initializeSeries('chain_node_disagreements_total', { network });
    initializeSeries('chain_finality_broken_total', { network });
    this.loops.forEach((loop) => loop.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    // Another instance goes on at once. If this fails, it goes on when the lease ends.
    await Promise.all(this.nodes.networks.map((network) => this.store.lease.release(network))).catch(() => undefined);
  }

  private loopOf(network: EvmNetwork): BackgroundLoop {
    let failures = 0;
    return new BackgroundLoop({
      pass: async () => {
        if (!(await this.store.lease.hold(network))) return LEASE_POLL_MS;
        const isBehind = await this.walk.pass(network);
        failures = 0;
        return isBehind ? 0 : this.configuration.pollMs;
      },
      failed: (error) => {
        failures += 1;
        const afterMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), RETRY_MS_MAX);
        if (error instanceof LeaseLost) return LEASE_POLL_MS;
        const isOutage = error instanceof NodeFailure;
        this.log[isOutage ? 'warn' : 'error']({ msg: `${network}: trying again in ${afterMs} ms`, err: error });
        return afterMs;
      },
    });
  }
}
