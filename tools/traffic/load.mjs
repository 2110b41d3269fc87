// Merchants at work: several callers, each of which takes its turns over and over, at a steady rate or as fast as it is
// answered. Every request is counted; one that is refused or breaks is a failure, kept with what was said.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Callers } from './callers.mjs';

const UNAVAILABLE = 503;
const BODY_SHOWN_MAX = 300;
const noFigures = () => ({ requests: 0, failures: [], repeated: 0, slowest_ms: 0 });

export class Load {
  /** Of the requests that began since `beginCount`. */
  figures = noFigures();
  /** A request that began before this and is answered with 503 is sent once more, with its key; by the clock. */
  repeatsUntil = -Infinity;
  callers = new Callers();

  constructor(call) {
    this.call = call;
  }

  /** As `call`, counted. */
  ask = async (method, path, body) => {
    const { figures } = this;
    const askedAt = Date.now();
    figures.requests += 1;
    try {
      const answer = await this.answerTo(method, path, body, { figures, askedAt });
      if (answer.status >= 300) figures.failures.push(`${method} ${path}: ${answer.status} ${textOf(answer.body)}`);
      return answer;
    } catch (error) {
      figures.failures.push(`${method} ${path}: ${error.cause?.code ?? error.message}`);
      throw Object.assign(error, { counted: true });
    } finally {
      figures.slowest_ms = Math.max(figures.slowest_ms, Date.now() - askedAt);
    }
  };

  async answerTo(method, path, body, { figures, askedAt }) {
    const key = randomUUID();
    const answer = await this.call(method, path, body, key);
    if (answer.status !== UNAVAILABLE || askedAt > this.repeatsUntil) return answer;
    figures.repeated += 1;
    return this.call(method, path, body, key);
  }

  /** From now on requests count anew; resolves to the figures of those from now on. */
  beginCount() {
    this.figures = noFigures();
    return this.figures;
  }

  /** `turns` are functions that ask; a caller begins one every `everyMs`, or when the last one is over if that is later. */
  start({ turns, callers, everyMs = 0 }) {
    this.callers.start(callers, async (number) => {
      const begun = Date.now();
      await turns[number % turns.length](this.ask).catch((error) => this.note(error));
      await sleep(Math.max(0, begun + everyMs - Date.now()));
    });
  }

  /** What was refused is counted already. */
  note(error) {
    if (error.counted !== true) this.figures.failures.push(`a turn ended with: ${error.message}`);
  }

  stop() {
    return this.callers.stop();
  }
}

/** The data of an answer; a refusal ends the turn. */
export async function dataOf(answered) {
  const { status, body } = await answered;
  if (status >= 300) throw Object.assign(new Error(`refused with ${status}`), { counted: true });
  return body.data;
}

const textOf = (body) => JSON.stringify(body).slice(0, BODY_SHOWN_MAX);
