// The services as processes of one version or another: one instance each, and while one takes another's place, two. The
// newcomer is started first, and only when it says that it is ready is the other one asked to end. An instance that ends
// without being asked, or otherwise than with 0, is a finding.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../stack/processes.mjs';
import { lastLines } from '../stack/postgres.mjs';
import { builtMain, launchService, SERVICES, STOP_ORDER } from '../stack/services.mjs';
import { Finding } from './finding.mjs';

const READY_TIMEOUT_MS = 60_000;
const READY_REQUEST_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 30_000;
const BALANCER_NOTICES_MS = 2_000;
const ERROR = /"level":\s*(?:[56]0|"(?:error|fatal)")/;
/** Without what differs from one to the next: times, ids, numbers. */
const wordsOf = (line) => line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '');

export class Fleet {
  /** By service, the instances that run, oldest first. */
  instances = new Map(SERVICES.map((app) => [app, []]));
  started = 0;

  constructor({ environments, paths }) {
    Object.assign(this, { environments, paths });
  }

  /** `version` is {name, root, drains}. One after the other: starting is what takes a machine most. */
  async startAll(version) {
    for (const app of SERVICES) await this.start(app, version);
  }

  async replaceAll(version) {
    for (const app of SERVICES) await this.replace(app, version);
  }

  async replace(app, version) {
    const former = [...this.instances.get(app)];
    await this.start(app, version);
    await this.together(former.map((instance) => this.end(instance)));
  }

  origins() {
    return this.instances
      .get('gateway')
      .map(({ url }) => url?.replace(/\/(api)?\/?$/, ''))
      .filter(Boolean);
  }

  async start(app, version) {
    this.started += 1;
    const log = join(this.paths.logs, `${app}-${this.started}-${version.name}.log`);
    const instance = new Instance({ app, version, log, env: this.environments[app], dataDir: this.paths.dataDir });
    this.instances.get(app).push(instance);
    await instance.untilReady();
  }

  async end(instance) {
    if (instance.app === 'gateway' && !instance.version.drains) await this.takeOut(instance);
    await instance.end();
    this.forget(instance);
  }

  /** A gateway that does not say beforehand that it will end: whoever operates it takes it out of the balancer first. */
  async takeOut(gateway) {
    gateway.url = undefined;
    await sleep(BALANCER_NOTICES_MS);
  }

  forget(instance) {
    const { app } = instance;
    this.instances.set(
      app,
      this.instances.get(app).filter((other) => other !== instance),
    );
  }

  /** What is wrong with the instances that should be running. */
  requireRunning() {
    for (const instance of [...this.instances.values()].flat()) instance.requireRunning();
  }

  async stopAll() {
    for (const group of STOP_ORDER) {
      await this.together(group.flatMap((app) => this.instances.get(app).map((instance) => this.end(instance))));
    }
  }

  /** Whatever happened before: nothing is left. */
  kill() {
    for (const instance of [...this.instances.values()].flat()) instance.child.kill('SIGKILL');
  }

  /** What the instances logged as errors, each kind of an instance once: {log, line}. */
  errors() {
    const logs = readdirSync(this.paths.logs).filter((name) => SERVICES.some((app) => name.startsWith(`${app}-`)));
    return logs.flatMap((log) => {
      const lines = readFileSync(join(this.paths.logs, log), 'utf8').split('\n');
      const byWords = new Map(lines.filter((line) => ERROR.test(line)).map((line) => [wordsOf(line), line]));
      return [...byWords.values()].map((line) => ({ log, line }));
    });
  }

  /** Waits for all, also when one of them fails. */
  async together(works) {
    const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  }
}

class Instance {
  constructor({ app, version, env, log, dataDir }) {
    Object.assign(this, { app, version, log, title: `${app} of ${version.name}` });
    const { root } = version;
    this.child = launchService({ main: builtMain(app, root), root, env, log, dataDir });
    this.child.on('message', (message) => this.hear(message));
    this.child.once('error', (error) => (this.ended = error.message));
    this.exited = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => resolve((this.ended = signal ?? code))),
    );
  }

  hear({ type, url, operations_url }) {
    if (type === 'ready') Object.assign(this, { serves: true, url, operationsUrl: operations_url });
  }

  /** Says that it serves and, where it has an operations server, that all it needs is there. */
  async untilReady() {
    const isReady = async () => this.ended !== undefined || (this.serves && (await this.saysReady()));
    const inTime = await waitUntil(isReady, READY_TIMEOUT_MS);
    this.requireRunning();
    if (!inTime)
      throw new Finding(`${this.title} was not ready within ${READY_TIMEOUT_MS / 1000} s: ${lastLines(this.log)}`);
  }

  async saysReady() {
    if (!this.operationsUrl) return true;
    const signal = AbortSignal.timeout(READY_REQUEST_TIMEOUT_MS);
    const answer = await fetch(`${this.operationsUrl}/ready`, { signal }).catch(() => undefined);
    return answer?.ok === true;
  }

  requireRunning() {
    if (this.ended !== undefined)
      throw new Finding(`${this.title} ended by itself with ${this.ended}: ${lastLines(this.log, 5)}`);
  }

  async end() {
    this.requireRunning();
    this.child.kill('SIGTERM');
    const late = sleep(STOP_TIMEOUT_MS, 'late', { ref: false });
    const ended = await Promise.race([this.exited, late]);
    if (ended === 0) return;
    this.child.kill('SIGKILL');
    throw new Finding(
      ended === 'late'
        ? `${this.title} did not end within ${STOP_TIMEOUT_MS / 1000} s of being asked: ${lastLines(this.log)}`
        : `${this.title}, asked to end, ended with ${ended}: ${lastLines(this.log)}`,
    );
  }
}
