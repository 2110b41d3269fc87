/**
 * Postgres and nats-server of a trial, kept running as a container's runtime would: one that ended is started again at once,
 * unless it is held. What the fault process asks of them arrives over IPC and is done here, because here is who started them:
 * hold one, let it come back, stop Postgres at once, fill its disk and free it again.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { type NatsServer, startNats } from '@stablecoin/local-stack/nats';
import type { DataPaths } from '@stablecoin/local-stack/paths';
import { type PostgresServer, startPostgres } from '@stablecoin/local-stack/postgres';
import type { Secrets } from '@stablecoin/local-stack/secrets';
import { KeptServer } from '@stablecoin/testing/trial/kept-server';
import type { ServerName } from '../stack/fault-stack';
import type { FromLauncher, ServerRequest } from '../stack/server-protocol';
import { SmallDisk } from './small-disk';

export interface ServersRequest {
  /** Of a data folder that is thrown away. */
  paths: DataPaths;
  secrets: Secrets;
  natsProgram: string;
}

export class ServerKeeper {
  private constructor(
    readonly postgres: KeptServer<PostgresServer>,
    readonly nats: KeptServer<NatsServer>,
    /** Of Postgres alone; its `reason` says why this machine allows none, if it doesn't. */
    readonly disk: SmallDisk,
  ) {}

  static async start({ paths, secrets, natsProgram }: ServersRequest): Promise<ServerKeeper> {
    const disk = SmallDisk.tryMake(join(paths.dataDir, 'disk'), join(paths.dataDir, 'disk.image'));
    const onDisk = {
      ...paths,
      postgres: join(disk.folder, 'postgres'),
      postgresUnfinished: join(disk.folder, 'postgres.unfinished'),
    };
    mkdirSync(disk.folder, { recursive: true, mode: 0o711 });
    let postgres: KeptServer<PostgresServer> | undefined;
    try {
      postgres = await KeptServer.start('Postgres', () => startPostgres(onDisk, secrets));
      const nats = await KeptServer.start('nats-server', () => startNats(paths, secrets, natsProgram));
      return new ServerKeeper(postgres, nats, disk);
    } catch (error) {
      await postgres?.stop();
      disk.remove();
      throw error;
    }
  }

  /** Does what the fault process asks, until that ends, and tells it of each restart where the servers are. */
  serve(child: ChildProcess): void {
    const tell = (message: FromLauncher) => child.connected && child.send(message, () => undefined);
    const tellWhereabouts = () => tell({ servers: this.whereabouts() });
    for (const server of [this.postgres, this.nats]) server.onRestart(tellWhereabouts);
    child.on('message', (request: ServerRequest) => {
      try {
        this.perform(request);
        tell({ id: request.id });
      } catch (error) {
        tell({ id: request.id, error: errorMessage(error) });
      }
    });
    tellWhereabouts();
  }

  async stop(): Promise<void> {
    await this.nats.stop();
    await this.postgres.stop();
    this.disk.remove();
  }

  private perform(request: ServerRequest): void {
    switch (request.action) {
      case 'hold':
        this.named(request.server).hold();
        break;
      case 'release':
        this.named(request.server).release();
        break;
      case 'stop-at-once':
        this.postgres.current.stopAtOnce();
        break;
      case 'fill-disk':
        this.disk.fill();
        break;
      case 'free-disk':
        this.disk.free();
        break;
    }
  }

  private named(name: ServerName): KeptServer<PostgresServer> | KeptServer<NatsServer> {
    return name === 'postgres' ? this.postgres : this.nats;
  }

  private whereabouts() {
    const { current: postgres } = this.postgres;
    const { current: nats } = this.nats;
    return {
      postgres: { pid: postgres.pid, port: postgres.port },
      nats: { pid: nats.pid, port: Number(new URL(nats.url).port) },
    };
  }
}
