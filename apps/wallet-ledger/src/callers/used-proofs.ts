/**
 * What each request of a merchant was used for. A service that has the gateway's proof of a request asks for one command with it,
 * as often as it likes; with another one it is refused. Memory of this process, as long as a proof counts: the owner of a shard
 * alone is asked for its commands, and one that takes a shard over begins anew.
 */
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { PROOF_HELD_MS } from '@stablecoin/messaging/caller-check';
import { ProvenRequest, REQUEST_DEADLINE_MS } from '@stablecoin/messaging/request-context';

interface Use {
  commandId: string;
  /** Epoch milliseconds. */
  until: number;
}

const HELD_MS = PROOF_HELD_MS + REQUEST_DEADLINE_MS;

export class UsedProofs {
  /** By the proof's MAC, the oldest first. */
  private readonly uses = new Map<string, Use>();

  isFor(
    { mac }: Pick<ProvenRequest, 'mac'>,
    { command_id }: Pick<MerchantCommand, 'command_id'>,
    now = Date.now(),
  ): boolean {
    this.forgetBefore(now);
    const known = this.uses.get(mac);
    if (known) return known.commandId === command_id;
    this.uses.set(mac, { commandId: command_id, until: now + HELD_MS });
    return true;
  }

  get size(): number {
    return this.uses.size;
  }

  private forgetBefore(now: number): void {
    for (const [mac, { until }] of this.uses) {
      if (until > now) return;
      this.uses.delete(mac);
    }
  }
}
