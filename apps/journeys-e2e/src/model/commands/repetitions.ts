/** The same key again: with the same request, with another one, and after a refusal. */
import fc from 'fast-check';
import { Disagreement } from '../disagreement';
import { Model } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { pick, picked } from './owners';

class SendAgain extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly isOther: boolean,
    private readonly times: number,
  ) {
    super();
    this.words = this.saying(`what was taken as number ${index} of the newest`);
  }

  private saying(what: string): string {
    if (this.isOther) return `send another request under the key of ${what}`;
    return `send ${what} again${this.times === 1 ? '' : `, ${this.times} times at once`}`;
  }

  protected isPossible(): boolean {
    return true;
  }

  async perform(_model: Model, world: World): Promise<void> {
    const candidates = world.sent.filter(({ other }) => !this.isOther || other !== undefined).reverse();
    if (candidates.length === 0) return world.end('nothing yet');
    const { words, method, path, body, key, text, other } = picked(candidates, this.index);
    world.saying(this.saying(`"${words}"`));
    if (this.isOther) {
      const answer = await world.send(method, path, { ...body, ...other }, key);
      return void agreed(world, answer, 'idempotency_key_reused');
    }
    const ask = () => world.landed(() => world.send(method, path, body, key));
    const answers = await Promise.all(Array.from({ length: this.times }, ask));
    for (const answer of answers) {
      const replayed = answer.headers.get('idempotency-replayed');
      if (answer.text === text && replayed === 'true') continue;
      throw new Disagreement(`as before, replayed: ${text}`, `${answer.status}, replayed ${replayed}: ${answer.text}`);
    }
    world.end('as before');
  }
}

class TryAgain extends Step {
  readonly words: string;

  constructor(private readonly index: number) {
    super();
    this.words = `try what was refused as number ${index} of the newest once more, under its key`;
  }

  protected isPossible(): boolean {
    return true;
  }

  async perform(model: Model, world: World): Promise<void> {
    const possible = world.refused.filter(({ step }) => step.check(model)).reverse();
    if (possible.length === 0) return world.end('nothing to try');
    const { step, key } = picked(possible, this.index);
    world.refused.splice(
      world.refused.findIndex((each) => each.key === key),
      1,
    );
    world.saying(`try "${step.words}" once more, under the key of its refusal`);
    await world.again(step, key, model);
  }
}

const times = fc.constantFrom(1, 1, 4);

export const repetitions = fc.tuple(pick, fc.boolean(), times).map((drawn) => new SendAgain(...drawn));
export const newTries = pick.map((index) => new TryAgain(index));
