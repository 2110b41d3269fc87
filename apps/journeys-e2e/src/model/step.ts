import type fc from 'fast-check';
import { Answer } from '../client';
import { Code, Model, STATUS_OF, Verdict } from './model';
import type { World } from './world';

/** Model and service do not agree: the end of a sequence. */
export class Disagreement extends Error {
  constructor(
    readonly expected: string,
    readonly came: string,
  ) {
    super(`expected ${expected}\ncame ${came}`);
  }
}

/** One command of a sequence: asks the service, asks the model, and holds the one against the other. */
export abstract class Step implements fc.AsyncCommand<Model, World> {
  /** The command in words, as a counter-example tells it; known once it was asked whether it is possible. */
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
 * Compares how a request ended with what the model says of it.
 *
 * @returns whether it was taken, by both
 */
export function agreed(world: World, answer: Answer<unknown>, verdict: Verdict, status = 200): boolean {
  const came = answer.status < 300 ? `${answer.status}` : `${answer.status} ${answer.body.code}`;
  const expected = verdict === null ? `${status}` : refusal(verdict);
  world.end(came);
  if (came !== expected) throw new Disagreement(expected, `${came}: ${answer.text.slice(0, SHOWN_CHARACTERS)}`);
  return verdict === null;
}

export const refusal = (code: Code) => `${STATUS_OF[code]} ${code}`;

/** Compares the fields that are expected; what else came is not looked at. */
export function sameFields(what: string, expected: Readonly<Record<string, unknown>>, came: unknown): void {
  const found = (came ?? {}) as Record<string, unknown>;
  const differing = Object.keys(expected).filter((name) => !isSame(expected[name], found[name]));
  if (differing.length === 0) return;
  const told = (from: Readonly<Record<string, unknown>>) =>
    `${what} with ${differing.map((name) => `${name} ${JSON.stringify(from[name])}`).join(', ')}`;
  throw new Disagreement(told(expected), told(found));
}

/** Compares two lists of names, such as the labels of transactions. */
export function sameList(what: string, expected: readonly string[], came: readonly string[]): void {
  if (isSame(expected, came)) return;
  throw new Disagreement(`${what} [${expected.join(', ')}]`, `[${came.join(', ')}]`);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
