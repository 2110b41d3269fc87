import { Refusal } from '@stablecoin/contracts/wire/refusal';

/**
 * The commands that this instance is executing. A quote or a claim is made in one statement, which locks the command's id
 * only while it runs; so a repeat that arrives meanwhile is told here that the first one is under way.
 */
export class RunningCommands {
  private readonly ids = new Set<string>();

  /** @throws Refusal idempotency_in_flight, with nothing begun, while the same command is under way */
  async once<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.ids.has(commandId)) throw new Refusal('idempotency_in_flight');
    this.ids.add(commandId);
    try {
      return await work();
    } finally {
      this.ids.delete(commandId);
    }
  }
}
