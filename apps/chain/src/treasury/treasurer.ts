import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { initializeSeries } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { ChainNodes } from '../nodes/chain-nodes';
import { NetworkTreasury } from './network-treasury';
import { TreasuryStore } from './treasury-store';

/** How often an instance without a network's lease tries to take it. */
const LEASE_POLL_MS = 10_000;
/** What could not be read is soon read: after a start, the network's first block may be walked a moment later. */
const UNREAD_POLL_MS = 1_000;
const RETRY_MS_MAX = 60_000;

/** Manages what we hold on each network, in a loop of its own: what holds up one does not hold up another. */
@Injectable()
export class Treasurer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Treasurer.name);
  private readonly loops: readonly BackgroundLoop[];

  constructor(
    private readonly nodes: ChainNodes,
    private readonly treasury: NetworkTreasury,
    private readonly store: TreasuryStore,
    private readonly configuration: ChainConfiguration,
  ) {
    this.loops = nodes.networks.map((network) => this.loopOf(network));
  }

  onApplicationBootstrap(): void {
    initializeSeries('chain_treasury_orders_total', {
      network: this.nodes.networks,
      kind: ['sweep', 'gas', 'to-cold'],
    });
    this.loops.forEach((loop) => loop.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    // Another instance goes on at once. If this fails, it goes on when the lease ends.
    await Promise.all(this.nodes.networks.map((network) => this.store.lease.release(network))).catch(() => undefined);
  }

  private loopOf(network: EvmNetwork): BackgroundLoop {
    const { treasuryPollMs } = this.configuration;
    const unreadPollMs = Math.min(UNREAD_POLL_MS, treasuryPollMs);
    const pauseMs = { behind: 0, unread: unreadPollMs, done: treasuryPollMs };
    let failures = 0;
    return new BackgroundLoop({
      pass: async () => {
        if (!(await this.store.lease.hold(network))) return Math.min(LEASE_POLL_MS, treasuryPollMs);
        const outcome = await withRequestContext(freshRequestContext(), () => this.treasury.pass(network));
        failures = 0;
        return pauseMs[outcome];
      },
      failed: (error) => {
        failures += 1;
        const afterMs = Math.min(unreadPollMs * 2 ** Math.min(failures - 1, 10), RETRY_MS_MAX);
        const isOutage = error instanceof NodeFailure || (error instanceof Refusal && error.code === 'unavailable');
        const line = { msg: `${network}: the treasury tries again in ${afterMs} ms`, err: error };
        // A deployment without a signer only watches: that is said once.
        if (isOutage && failures > 1) this.log.debug(line);
        else this.log[isOutage ? 'warn' : 'error'](line);
        return afterMs;
      },
    });
  }
}
