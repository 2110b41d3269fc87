// Runs a deployment of docker-compose.yml on this machine, without Docker: draws the secrets, starts both Postgres, NATS and a
// chain, whose node is named in the deployment's secrets, then every service as a process from its image folder, in the
// order of the file's dependencies, scaled ones several times, and waits until each one's health check succeeds. `stop` ends
// everything that was started, dependents first.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvmNetwork } from '@stablecoin/chains/chains';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { say, type Tell } from '@stablecoin/command-line/terminal';
import { startDeployedNats, type DeployedNats } from '@stablecoin/local-stack/deployed-nats';
import { addSecondLedger, SECRET_NAMES, writeSecretFiles } from '@stablecoin/local-stack/deployment-secrets';
import { dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { startPostgres } from '@stablecoin/local-stack/postgres';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import { hotWalletAddress, startChain, type TestChain } from '@stablecoin/testing/chain';
import pg from 'pg';
import { startOrder, type ComposeModel, type ComposeService } from '../compose/compose-file';
import type { Image } from '../dockerfile/image-folders';
import { Container, type Ending } from './container';

const POSTGRES = 'postgres:5432';
/** Of the profile two-ledgers. */
const POSTGRES_B = 'postgres-b:5432';
const NATS = 'nats:4222';

export interface DeploymentOptions {
  model: ComposeModel;
  /** By the Dockerfile's target. */
  images: Record<string, Image>;
  folder: string;
  /** The number of instances of a service, if it is more than one. */
  scale: Record<string, number>;
  /** The base image's `node`. */
  node: string;
}

/** Of those that compose starts only where they are named: the services of real chains, and the console's. */
const PROFILES: readonly string[] = ['chains', 'people'];

/** Whether compose starts it with these profiles: it is no command for people, no third-party image, no job. */
const isRunning = ({ profiles = PROFILES, build, restart }: ComposeService) =>
  profiles.some((profile) => PROFILES.includes(profile)) && build !== undefined && restart !== 'no';

export class Deployment {
  readonly model: ComposeModel;
  readonly images: Record<string, Image>;
  private readonly folder: string;
  private readonly scale: Record<string, number>;
  private readonly node: string;
  private readonly secretsFolder: string;
  private addresses: Record<string, string> = {};
  private containers: Container[] = [];
  private readonly undo: (() => Promise<unknown>)[] = [];
  private broker: DeployedNats | undefined;
  private evm: TestChain | undefined;

  constructor({ model, images, folder, scale, node }: DeploymentOptions) {
    this.model = model;
    this.images = images;
    this.folder = folder;
    this.scale = scale;
    this.node = node;
    this.secretsFolder = join(folder, 'secrets');
  }

  /** Draws the secrets; returns those with a value, by name, because no image may hold one. */
  prepare(): Record<string, string> {
    mkdirSync(this.folder, { recursive: true });
    chmodSync(this.folder, 0o711);
    writeSecretFiles(this.secretsFolder);
    addSecondLedger(this.secretsFolder);
    const secrets = SECRET_NAMES.map((name): [string, string] => [name, this.secret(name)]);
    return Object.fromEntries(secrets.filter(([, value]) => value !== ''));
  }

  async startStores(tell: Tell): Promise<void> {
    const { folder, secretsFolder } = this;
    const [postgres, second] = [
      await this.startPostgres('data', 'postgres_password'),
      await this.startPostgres('data-b', 'postgres_b_password'),
    ];
    const { command, healthcheck } = this.serviceNamed('nats');
    const healthPath = /http:\/\/127\.0\.0\.1:8222(\S*)/.exec(healthcheck?.test.at(-1) ?? '')?.[1];
    const broker = await startDeployedNats({ folder, secretsFolder, tell, command, healthPath });
    this.broker = broker;
    this.undo.push(() => broker.stop());
    this.addresses = { [POSTGRES]: postgres, [POSTGRES_B]: second, [NATS]: broker.address };
  }

  /** @returns its address */
  private async startPostgres(data: string, password: string): Promise<string> {
    const paths = dataPaths(join(this.folder, data));
    makeDataDir(paths);
    const postgres = await startPostgres(paths, { postgres_owner_password: this.secret(password) });
    this.undo.push(() => postgres.stop());
    return `127.0.0.1:${postgres.port}`;
  }

  /** Starts a chain with a funded hot wallet, and names its node as an operator does: in the file of that secret. */
  async startChain(network: EvmNetwork, blockTimeMs: number): Promise<void> {
    const hotWallet = hotWalletAddress(this.secret('signer_seed'));
    const chain = await startChain({ network, blocks: 'steady', blockTimeMs, hotWallet });
    this.evm = chain;
    this.undo.push(() => chain.stop());
    writeFileSync(join(this.secretsFolder, `chain_rpc_${network}`), chain.rpcUrl);
  }

  get chain(): TestChain {
    if (this.evm === undefined) throw new Error('The chain was not started.');
    return this.evm;
  }

  /** The running broker. */
  get nats(): DeployedNats {
    if (this.broker === undefined) throw new Error('The broker was not started.');
    return this.broker;
  }

  /** Runs two jobs at once, as two machines may do: one waits for the other, and both succeed. */
  async migrate(): Promise<void> {
    const jobs = await Promise.all([1, 2].map((instance) => this.container('migrate', instance).run()));
    const failed = jobs.find(({ code }) => code !== 0);
    if (failed) throw new OperatorError(`The migration job ended with ${failed.code}:\n${failed.errors.trim()}`);
  }

  container(name: string, instance = 1): Container {
    const service = this.serviceNamed(name);
    const image = this.images[service.build?.target ?? this.ownerOf(service.image)];
    if (image === undefined) throw new OperatorError(`${name} has an image that is not made: ${service.image}.`);
    const { folder, secretsFolder, addresses, node } = this;
    return new Container({ name, instance, service, image, folder, secretsFolder, addresses, node });
  }

  /** Starts as many at once as the dependencies allow. */
  async startServices(tell: Tell): Promise<void> {
    const started = new Map<string, Promise<void>>();
    const start = async (name: string) => {
      const needed = Object.keys(this.serviceNamed(name).depends_on ?? {});
      for (const other of needed) await started.get(other);
      await this.startInstances(name, tell);
    };
    for (const name of this.running()) started.set(name, start(name));
    const outcomes = await Promise.allSettled(started.values());
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** All instances, or those of one service. */
  instances(name?: string): Container[] {
    return this.containers.filter((container) => name === undefined || container.name === name);
  }

  gatewayOrigins(): string[] {
    return this.instances('gateway').map(({ origin }) => origin);
  }

  /** @returns the path of a file that an operator has beside the deployment */
  operatorsFile(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  }

  /** Runs a command for people, like `docker compose run --rm`. */
  async command(name: string, ...args: string[]): Promise<string> {
    const { code, output, errors } = await this.container(name).run(...args);
    if (code !== 0)
      throw new OperatorError(`docker compose run ${name} ${args.join(' ')} ended with ${code}: ${errors.trim()}`);
    return output;
  }

  /** Works on a database as its owner, bypassing the services. */
  async onDatabase<Result>(name: DatabaseName, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const url = this.secret(`${name}_migration_database_url`).replace(POSTGRES, this.addresses[POSTGRES] ?? '');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Sends SIGTERM to every service, dependents first; resolves to how each ended. */
  async stopServices(): Promise<Ending[]> {
    const endings: Ending[] = [];
    for (const name of this.running().reverse()) {
      const ended = await Promise.all(this.instances(name).map((container) => container.stop()));
      endings.push(...ended.filter((ending) => ending !== undefined));
    }
    this.containers = [];
    return endings;
  }

  async stop(): Promise<void> {
    await this.stopServices().catch((error: unknown) => say(`  ${String(error)}`));
    while (this.undo.length > 0) await this.undo.pop()?.();
  }

  private secret(name: string): string {
    return readFileSync(join(this.secretsFolder, name), 'utf8').trim();
  }

  private serviceNamed(name: string): ComposeService {
    const service = this.model.services[name];
    if (service === undefined) throw new OperatorError(`docker-compose.yml has no service ${name}.`);
    return service;
  }

  /** Names of the services that run, in their order. */
  private running(): string[] {
    return startOrder(this.model.services).filter((name) => isRunning(this.serviceNamed(name)));
  }

  /** The target of the service that builds an image, which other services may use too. */
  private ownerOf(image: string): string {
    const owner = Object.values(this.model.services).find((service) => service.build && service.image === image);
    if (owner?.build === undefined) throw new OperatorError(`No service of docker-compose.yml builds ${image}.`);
    return owner.build.target;
  }

  private async startInstances(name: string, tell: Tell): Promise<void> {
    const instances = Array.from({ length: this.scale[name] ?? 1 }, (_, index) => this.container(name, index + 1));
    this.containers.push(...instances);
    await Promise.all(
      instances.map(async (container) => {
        await container.start();
        tell(`${container.title} healthy after ${(container.startMs / 1000).toFixed(1)} s`);
      }),
    );
  }
}
