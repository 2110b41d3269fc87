// Callers at work until they are stopped: each takes one turn after the other.

export class Callers {
  /** `turn(number, caller)` is one turn; each caller begins with another number. */
  start(count, turn) {
    this.running = true;
    this.atWork = Array.from({ length: count }, (_, caller) => this.keepOn(caller, turn));
  }

  async keepOn(caller, turn) {
    for (let number = caller; this.running; number += 1) await turn(number, caller);
  }

  /** Once the turns under way are over. */
  async stop() {
    this.running = false;
    await Promise.all(this.atWork ?? []);
  }
}
