// A deployment of docker-compose.yml on this machine, without Docker: secrets drawn, Postgres and NATS started, then every
// service as a process from its image folder, in the order that the file's dependencies ask for, scaled ones several times,
// each awaited until its own health check is content. Whatever was started is stopped by `stop`, dependents first.

import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, Refusal } from '../stack/terminal.mjs';
import { milliseconds, startOrder } from './compose-file.mjs';
import { Container } from './containers.mjs';
import { SECRET_NAMES, writeSecretFiles } from './secret-files.mjs';
import { natsOf, postgresOf } from './stores.mjs';

const isRunning = ({ profiles, build, restart }) => profiles === undefined && build !== undefined && restart !== 'no';

export class Deployment {
  constructor({ model, images, folder, scale }) {
    Object.assign(this, { model, images, folder, scale });
    this.secretsFolder = join(folder, 'secrets');
    this.addresses = {};
    this.containers = [];
    this.undo = [];
  }

  /** Draws the secrets, and tells them by name: no image may hold one. */
  prepare() {
    mkdirSync(this.folder, { recursive: true });
    chmodSync(this.folder, 0o711);
    writeSecretFiles(this.secretsFolder);
    chmodSync(this.secretsFolder, 0o700);
    const secrets = SECRET_NAMES.map((name) => [name, this.secret(name)]);
    return Object.fromEntries(secrets.filter(([, value]) => value !== ''));
  }

  secret(name) {
    return readFileSync(join(this.secretsFolder, name), 'utf8').trim();
  }

  async startStores(tell) {
    const postgres = await postgresOf(this.folder, this.secretsFolder);
    this.undo.push(postgres.stop);
    this.nats = await natsOf(this.folder, this.secretsFolder, this.model.services.nats, tell);
    this.undo.push(this.nats.stop);
    this.addresses = { 'postgres:5432': postgres.address, 'nats:4222': this.nats.address };
  }

  /** Two jobs at once, as two machines may start them: one waits for the other, and both end well. */
  async migrate() {
    const jobs = await Promise.all([1, 2].map((instance) => this.container('migrate', instance).run()));
    const failed = jobs.find(({ code }) => code !== 0);
    if (failed) throw new Refusal(`The migration job ended with ${failed.code}:\n${failed.errors.trim()}`);
  }

  /** Names of the services that run, in their order. */
  running() {
    const { services } = this.model;
    return startOrder(services).filter((name) => isRunning(services[name]));
  }

  container(name, instance = 1) {
    const service = this.model.services[name];
    const target = service.build?.target ?? this.ownerOf(service.image);
    return new Container({ ...this, name, instance, service, image: this.images[target] });
  }

  /** The target of the service that builds an image which others use as well. */
  ownerOf(image) {
    return Object.values(this.model.services).find((service) => service.build && service.image === image).build.target;
  }

  /** Starts as many at once as the dependencies allow. */
  async startServices(tell) {
    const started = new Map();
    const start = (name) => {
      const needed = Object.keys(this.model.services[name].depends_on ?? {}).filter((other) => started.has(other));
      return Promise.all(needed.map((other) => started.get(other))).then(() => this.startInstances(name, tell));
    };
    for (const name of this.running()) started.set(name, start(name));
    const outcomes = await Promise.allSettled(started.values());
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  }

  startInstances(name, tell) {
    const instances = Array.from({ length: this.scale[name] ?? 1 }, (_, index) => this.container(name, index + 1));
    this.containers.push(...instances);
    return Promise.all(
      instances.map(async (container) => {
        await container.start();
        tell(`${container.title} healthy after ${(container.startMs / 1000).toFixed(1)} s`);
      }),
    );
  }

  instancesOf(name) {
    return this.containers.filter((container) => container.name === name);
  }

  gatewayOrigins() {
    return this.instancesOf('gateway').map(({ env }) => `http://127.0.0.1:${env.PORT}`);
  }

  /** Runs a command of a person, as `docker compose run --rm` would. */
  async command(name, ...args) {
    const { code, output, errors } = await this.container(name).run(...args);
    if (code !== 0)
      throw new Refusal(`docker compose run ${name} ${args.join(' ')} ended with ${code}: ${errors.trim()}`);
    return output;
  }

  /** As the owner, behind the services' back. */
  async onDatabase(name, work) {
    const url = this.secret(`${name}_migration_database_url`).replace('postgres:5432', this.addresses['postgres:5432']);
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** SIGTERM to every service, dependents first; tells how each ended: {title, code, ms, grace_ms}. */
  async stopServices() {
    const endings = [];
    for (const name of this.running().reverse()) {
      endings.push(...(await Promise.all(this.instancesOf(name).map((container) => endingOf(container)))));
    }
    this.containers = [];
    return endings;
  }

  async stop() {
    await this.stopServices().catch((error) => say(`  ${error.message}`));
    while (this.undo.length > 0) await this.undo.pop()();
  }
}

async function endingOf(container) {
  const ending = await container.stop();
  return { title: container.title, ...ending, grace_ms: milliseconds(container.service.stop_grace_period) };
}
