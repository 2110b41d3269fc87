// Postgres and nats-server of a fault run, kept running as a container's runtime would: one that ended is started again at
// once, unless it is held. What the harness asks of them arrives over IPC and is done here, because here is who started
// them: which process it is now, hold it, let it come back, stop Postgres at once, fill its disk and free it again.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNats } from '../stack/nats.mjs';
import { startPostgres } from '../stack/postgres.mjs';
import { say } from '../stack/terminal.mjs';
import { SmallDisk } from './small-disk.mjs';

const RESTART_PAUSE_MS = 100;

/**
 * Starts both; resolves to {postgres, nats, url(s), serve(child), stop()}. `paths` are those of a throw-away data folder;
 * Postgres gets a small disk of its own where this machine allows it, and `disk.reason` says why not where it doesn't.
 */
export async function startServers({ paths, secrets, natsProgram }) {
  const disk = SmallDisk.tryMake(join(paths.dataDir, 'disk'), join(paths.dataDir, 'disk.image'));
  const postgresPaths = {
    ...paths,
    postgres: join(disk.folder, 'postgres'),
    postgresUnfinished: join(disk.folder, 'postgres.unfinished'),
  };
  mkdirSync(disk.folder, { recursive: true, mode: 0o711 });
  const kept = [];
  try {
    kept.push(await keep('Postgres', () => startPostgres(postgresPaths, secrets)));
    kept.push(await keep('nats-server', () => startNats(paths, secrets, natsProgram)));
  } catch (error) {
    await stopAll(kept, disk);
    throw error;
  }
  const [postgres, nats] = kept;
  return {
    postgres,
    nats,
    disk,
    serve: (child) => serve(child, { postgres, nats, disk }),
    stop: () => stopAll(kept, disk),
  };
}

async function stopAll(kept, disk) {
  for (const server of [...kept].reverse()) await server.stop();
  disk.remove();
}

/** One server, started again whenever it ends: at once, or, while it is held, when it is released. */
async function keep(name, start) {
  let current = await start();
  let stopping = false;
  let held = false;
  let release = () => undefined;
  let released = Promise.resolve();
  let restarting = Promise.resolve();
  const listeners = [];
  const watch = () => current.onUnexpectedExit(() => (restarting = startAgain()));
  async function startAgain() {
    while (!stopping) {
      await sleep(RESTART_PAUSE_MS);
      await released;
      if (stopping) return;
      try {
        current = await start();
        listeners.forEach((listener) => listener());
        return watch();
      } catch (error) {
        say(`  ${name} does not start: ${error.message}`);
      }
    }
  }
  watch();
  return {
    current: () => current,
    onRestart: (listener) => listeners.push(listener),
    hold: () => {
      if (held) return;
      held = true;
      released = new Promise((done) => (release = done));
    },
    release: () => {
      held = false;
      release();
      released = Promise.resolve();
    },
    stop: async () => {
      stopping = true;
      release();
      await restarting;
      await current.stop();
    },
  };
}

/** Answers the harness until it ends: {id, ask, of} → {id, error?}; and tells it of each restart where the servers are. */
function serve(child, { postgres, nats, disk }) {
  const asks = {
    hold: ({ of }) => ({ postgres, nats })[of].hold(),
    release: ({ of }) => ({ postgres, nats })[of].release(),
    'stop-at-once': () => postgres.current().stopAtOnce(),
    'fill-disk': () => disk.fill(),
    'free-disk': () => disk.free(),
  };
  const whereabouts = () => ({
    servers: {
      postgres: { pid: postgres.current().pid, port: postgres.current().port },
      nats: { pid: nats.current().pid, port: Number(new URL(nats.current().url).port) },
    },
  });
  const tell = (message) => child.connected && child.send(message, () => undefined);
  for (const server of [postgres, nats]) server.onRestart(() => tell(whereabouts()));
  child.on('message', async (message) => {
    if (message?.ask === undefined) return;
    try {
      await asks[message.ask](message);
      tell({ id: message.id });
    } catch (error) {
      tell({ id: message.id, error: error.message });
    }
  });
  tell(whereabouts());
}
