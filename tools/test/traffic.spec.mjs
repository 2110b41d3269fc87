// What counts as a failed request when services are restarted or upgraded under load.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, Load } from '../traffic/load.mjs';

const OK = { status: 200, body: { data: 1 } };
const UNAVAILABLE = { status: 503, body: { code: 'unavailable' } };

/** A service that gives these answers in turn, and what it was asked. */
function answering(...answers) {
  const asked = [];
  const call = async (...request) => {
    asked.push(request);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, call };
}

test('a refusal and a broken connection are failures, each told with its request', async () => {
  const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  const load = new Load(answering(OK, UNAVAILABLE, refused).call);
  assert.equal((await load.ask('GET', '/a')).status, 200);
  assert.equal((await load.ask('GET', '/b')).status, 503);
  await assert.rejects(load.ask('GET', '/c'));
  const { requests, failures, repeated } = load.figures;
  assert.deepEqual([requests, repeated], [3, 0]);
  assert.deepEqual(failures, ['GET /b: 503 {"code":"unavailable"}', 'GET /c: ECONNREFUSED']);
});

test('only what began before the time that is given is sent once more, with the same key', async () => {
  const { call, asked } = answering(UNAVAILABLE, OK, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE);
  const load = new Load(call);
  load.repeatsUntil = Infinity;
  assert.equal((await load.ask('POST', '/a', {})).status, 200);
  assert.equal(asked[0][3], asked[1][3]);
  assert.equal((await load.ask('POST', '/b', {})).status, 503);
  load.repeatsUntil = Date.now() - 1;
  assert.equal((await load.ask('POST', '/c', {})).status, 503);
  assert.deepEqual([asked.length, load.figures.repeated, load.figures.failures.length], [5, 2, 2]);
});

test('requests count where they began; a turn that goes wrong otherwise is told once', async () => {
  const load = new Load(answering(OK, UNAVAILABLE).call);
  const before = load.figures;
  const turns = [
    async (ask) => dataOf(ask('GET', '/a')),
    async () => {
      throw new Error('no such field');
    },
  ];
  const asking = load.ask('GET', '/first');
  const after = load.beginCount();
  await asking;
  load.start({ turns, callers: 1, everyMs: 5 });
  while (after.requests < 2) await sleep(1);
  await load.stop();
  assert.deepEqual([before.requests, before.failures], [1, []]);
  assert.equal(after.failures[0], 'GET /a: 503 {"code":"unavailable"}');
  assert.equal(after.failures[1], 'a turn ended with: no such field');
});
