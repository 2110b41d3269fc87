import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Random draws that a seed decides: the same seed draws the same again, and the next one something unlike it. */
export class Drawing {
  private readonly generator: ReturnType<typeof mersenne>;

  constructor(seed: number) {
    this.generator = mersenne(seed);
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    return uniformFloat64(this.generator);
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** A whole number from 0 up to, and without, the bound. */
  below(bound: number): number {
    return uniformInt(this.generator, 0, bound - 1);
  }

  oneOf<Choice>(choices: readonly Choice[]): Choice {
    if (choices.length === 0) throw new Error('there is nothing to draw from');
    return choices[this.below(choices.length)] as Choice;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    return items.map(() => left.splice(this.below(left.length), 1)[0] as Item);
  }
}
