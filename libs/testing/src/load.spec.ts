import { setTimeout as delay } from 'node:timers/promises';
import { Load } from './load';
import { Answer, Ask, dataOf, Sender, Sending, UnansweredRequest } from './merchant-client';

const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8'];
const OK = { status: 200, text: '{"data":1}' };
const UNAVAILABLE = { status: 503, text: '{"code":"unavailable"}' };

interface Asked {
  path: string;
  idempotencyKey: string | undefined;
}

/** A service that gives these answers in turn, and what it was asked. */
function answering(...answers: readonly (typeof OK | Error)[]): Sender & { asked: Asked[] } {
  const asked: Asked[] = [];
  const send = <Data>(method: string, path: string, _body?: unknown, sending: Sending = {}): Promise<Answer<Data>> => {
    asked.push({ path, idempotencyKey: sending.idempotencyKey });
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? OK;
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve(new Answer<Data>(`${method} ${path}`, answer.status, answer.text, JSON_HEADERS));
  };
  return { asked, send };
}

describe('what counts as a failed request under load', () => {
  it('is a refusal and a broken connection, each reported with its request', async () => {
    const refused = new UnansweredRequest('GET /c', 'ECONNREFUSED');
    const load = new Load(answering(OK, UNAVAILABLE, refused));
    expect((await load.ask('GET', '/a')).status).toBe(200);
    expect((await load.ask('GET', '/b')).status).toBe(503);
    await expect(load.ask('GET', '/c')).rejects.toBe(refused);
    const { requests, failures, repeated } = load.figures;
    expect([requests, repeated]).toEqual([3, 0]);
    expect(failures).toEqual(['GET /b: 503 {"code":"unavailable"}', 'GET /c: ECONNREFUSED']);
  });

  it('only what began before the time that is given is sent once more, with the same key', async () => {
    const service = answering(UNAVAILABLE, OK, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE);
    const load = new Load(service);
    load.repeatsUntil = Infinity;
    expect((await load.ask('POST', '/a', {})).status).toBe(200);
    expect(service.asked[0]?.idempotencyKey).toBe(service.asked[1]?.idempotencyKey);
    expect((await load.ask('POST', '/b', {})).status).toBe(503);
    load.repeatsUntil = Date.now() - 1;
    expect((await load.ask('POST', '/c', {})).status).toBe(503);
    expect([service.asked.length, load.figures.repeated, load.figures.failures.length]).toEqual([5, 2, 2]);
  });

  it('is counted where the request began; a turn that fails otherwise is reported once', async () => {
    const load = new Load(answering(OK, UNAVAILABLE));
    const before = load.figures;
    const turns = [(ask: Ask) => dataOf(ask('GET', '/a')), () => Promise.reject(new Error('no such field'))];
    const asking = load.ask('GET', '/first');
    const after = load.beginCount();
    await asking;
    load.start({ turns, callers: 1, everyMs: 5 });
    while (after.requests < 2) await delay(1);
    await load.stop();
    expect([before.requests, before.failures]).toEqual([1, []]);
    expect(after.failures[0]).toBe('GET /a: 503 {"code":"unavailable"}');
    expect(after.failures[1]).toBe('a turn ended with: no such field');
  });
});
