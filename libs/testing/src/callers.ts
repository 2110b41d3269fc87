/** Callers at work until they are stopped: each takes one turn after the other. */
export class Callers {
  private running = false;
  private atWork: Promise<void>[] = [];

  /** @param turn is one turn; each caller begins with another number */
  start(count: number, turn: (number: number, caller: number) => Promise<unknown>): void {
    this.running = true;
    this.atWork = Array.from({ length: count }, (_, caller) => this.keepOn(caller, turn));
  }

  /** Resolves once the turns under way are over. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.atWork);
  }

  private async keepOn(caller: number, turn: (number: number, caller: number) => Promise<unknown>): Promise<void> {
    for (let number = caller; this.running; number += 1) await turn(number, caller);
  }
}
