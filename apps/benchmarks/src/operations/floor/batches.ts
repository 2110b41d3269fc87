/** Micro-batches: what arrives while a batch is being worked on makes up the next one. */
const ITEMS_MAX = 1_000;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export class Batches<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private isWorking = false;

  /** @param work returns the results in the order of the items */
  constructor(private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isWorking) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isWorking = true;
    // What has arrived in the same turn of the event loop belongs to the first batch.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, ITEMS_MAX);
      try {
        const results = await this.work(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
    }
    this.isWorking = false;
  }
}
