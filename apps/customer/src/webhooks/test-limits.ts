import { Injectable } from '@nestjs/common';
import { TestWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** Tests that wait for their outcome at the same time. */
const PER_ENDPOINT_MAX = 1;
const PER_MERCHANT_MAX = 2;
const PER_PROCESS_MAX = 16;

/**
 * Bounds the tests of webhooks under way. Each waits for a receiver that may hang, and meanwhile occupies a place in the
 * gateway that other requests to this service need. One too many is refused at once, before it costs a statement.
 */
@Injectable()
export class TestLimits {
  private readonly perEndpoint = new Map<string, number>();
  private readonly perMerchant = new Map<string, number>();
  /** The ids of the commands under way. */
  private readonly commands = new Set<string>();

  /** @throws Refusal before anything is begun: `rate_limited`, or `idempotency_in_flight` for a repeat of one under way */
  async within<Result>(command: TestWebhook, test: () => Promise<Result>): Promise<Result> {
    const { command_id, merchant_id, webhook_id } = command;
    if (this.commands.has(command_id)) throw new Refusal('idempotency_in_flight');
    const isFull =
      this.commands.size >= PER_PROCESS_MAX ||
      (this.perMerchant.get(merchant_id) ?? 0) >= PER_MERCHANT_MAX ||
      (this.perEndpoint.get(webhook_id) ?? 0) >= PER_ENDPOINT_MAX;
    if (isFull) throw new Refusal('rate_limited');
    this.commands.add(command_id);
    add(this.perMerchant, merchant_id, 1);
    add(this.perEndpoint, webhook_id, 1);
    try {
      return await test();
    } finally {
      this.commands.delete(command_id);
      add(this.perMerchant, merchant_id, -1);
      add(this.perEndpoint, webhook_id, -1);
    }
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
