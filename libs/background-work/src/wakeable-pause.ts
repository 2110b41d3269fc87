/**
 * The pause of a loop that looks for work again and again: it ends after a while, or as soon as it is woken. Being woken
 * while the loop is at work ends the next pause at once, so that nothing is overlooked.
 */
export class WakeablePause {
  private woken = false;
  private end: () => void = () => undefined;

  wake(): void {
    this.woken = true;
    this.end();
  }

  async atMost(milliseconds: number): Promise<void> {
    if (!this.woken) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, milliseconds);
        this.end = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    this.woken = false;
  }
}
