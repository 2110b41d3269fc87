import { Logger } from '@nestjs/common';
import { createOperations, Operations } from './operations.module';

let operations: Operations;
let url: string;

beforeAll(async () => {
  Logger.overrideLogger(false);
  operations = createOperations();
  operations.server.route('/metrics', () => ({
    status: 200,
    contentType: 'text/plain; version=0.0.4',
    body: 'up 1\n',
  }));
  operations.server.route('/broken', () => Promise.reject(new Error('postgresql://user:secret@host')));
  url = await operations.server.listen('127.0.0.1', 0);
});
afterAll(() => operations.server.close());

const bodyOf = async (path: string) => (await fetch(url + path)).json() as Promise<object>;

it('lives as long as it answers, and is ready once it serves', async () => {
  expect((await fetch(`${url}/live`)).status).toBe(200);
  expect((await fetch(`${url}/ready`)).status).toBe(503);
  operations.readiness.serve();
  expect((await fetch(`${url}/ready?from=probe`)).status).toBe(200);
  expect(await bodyOf('/ready')).toEqual({ ready: true, phase: 'serving', checks: {} });
});

it('answers with what a registered route returns', async () => {
  const answer = await fetch(`${url}/metrics`);
  expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain; version=0.0.4', 'up 1\n']);
  expect(() => operations.server.route('/metrics', () => Promise.reject(new Error()))).toThrow('answered already');
});

it('answers HEAD without a body, and no other method', async () => {
  const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
  expect((await fetch(`${url}/live`, { method: 'POST', body: 'x' })).status).toBe(405);
});

it('names its paths where there is none, and answers a failed route without its error', async () => {
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
  expect(await bodyOf('/')).toEqual({ paths: ['/broken', '/live', '/metrics', '/ready'] });
  const broken = await fetch(`${url}/broken`);
  expect([broken.status, await broken.text()]).toEqual([500, '{}\n']);
  expect((await fetch(`${url}/live`)).status).toBe(200);
});

it('says which settings to change when it can not listen', async () => {
  const { port } = new URL(url);
  const second = createOperations().server;
  await expect(second.listen('127.0.0.1', Number(port))).rejects.toThrow(
    `it can't listen on 127.0.0.1, port ${port} (EADDRINUSE): set OPERATIONS_HOST and OPERATIONS_PORT to others.`,
  );
});
