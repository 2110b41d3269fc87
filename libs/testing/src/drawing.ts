/** Random draws that a seed decides: the same seed draws the same again. */
export class Drawing {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  oneOf<Choice>(choices: readonly Choice[]): Choice {
    if (choices.length === 0) throw new Error('there is nothing to draw from');
    return choices[Math.floor(this.next() * choices.length)] as Choice;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    return items.map(() => left.splice(Math.floor(this.next() * left.length), 1)[0] as Item);
  }
}
