import type fc from 'fast-check';
import { Answer } from '../client';
import { Disagreement } from './disagreement';
import { Code, Model, STATUS_OF, Verdict } from './model';
import type { Asker, World } from './world';

/** One command of a sequence: sends it to the service and to the model, and compares their answers. */
export abstract class Step implements fc.AsyncCommand<Model, World>, Asker {
  /** The command in words, for a counter-example; known once `check` was called. */
  abstract readonly words: string;

  /** Whether it makes sense by now; otherwise it is left out. */
  check(model: Readonly<Model>): boolean {
    return this.isPossible(model as Model);
  }

  async run(model: Model, world: World): Promise<void> {
    world.begin(this.words);
    await this.perform(model, world);
  }

  toString(): string {
    return this.words;
  }

  protected abstract isPossible(model: Model): boolean;
  abstract perform(model: Model, world: World): Promise<void>;
}

const SHOWN_CHARACTERS = 300;

/**
 * Compares how a request ended with the model's verdict.
 *
 * @returns whether both accepted it
 */
export function agreed(world: World, answer: Answer<unknown>, verdict: Verdict, status = 200): boolean {
  const came = answer.status < 300 ? `${answer.status}` : `${answer.status} ${answer.body.code}`;
  const expected = verdict === null ? `${status}` : refusal(verdict);
  world.end(came);
  if (came !== expected) throw new Disagreement(expected, `${came}: ${answer.text.slice(0, SHOWN_CHARACTERS)}`);
  return verdict === null;
}

export const refusal = (code: Code) => `${STATUS_OF[code]} ${code}`;
