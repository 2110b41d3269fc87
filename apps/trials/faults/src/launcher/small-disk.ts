// A small file system for Postgres alone, in a file of the data folder, so that it can run full without the machine's own
// disk running full. It takes a root that may mount; everywhere else Postgres lies in an ordinary folder, and `reason` says
// what was missing. Full means: a filler takes every free block, so that nobody, whatever it reserves, can add one.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A long run's log of changes and its tables; the file is sparse, so that unused space is not taken. */
const SIZE_BYTES = 8 * 1024 ** 3;
const BLOCK = Buffer.alloc(4 * 1024 * 1024);
const COMMAND_TIMEOUT_MS = 60_000;

const run = (command, ...args) => execFileSync(command, args, { stdio: 'pipe', timeout: COMMAND_TIMEOUT_MS });

export class SmallDisk {
  constructor(folder, image, reason) {
    this.folder = folder;
    this.image = image;
    /** Why the disk can't be filled; undefined when it can. */
    this.reason = reason;
  }

  static tryMake(folder, image) {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    if (process.getuid() !== 0) return new SmallDisk(folder, image, 'mounting a small file system takes root');
    try {
      closeSync(openSync(image, 'w', 0o600));
      truncateSync(image, SIZE_BYTES);
      // No blocks kept back for root, no journal: nothing but Postgres is to be tried here.
      run('mkfs.ext4', '-q', '-m', '0', '-O', '^has_journal', image);
      run('mount', '-o', 'loop', image, folder);
      run('chmod', '0711', folder);
      return new SmallDisk(folder, image, undefined);
    } catch (error) {
      rmSync(image, { force: true });
      return new SmallDisk(
        folder,
        image,
        String(error.stderr ?? error.message)
          .trim()
          .split('\n')[0],
      );
    }
  }

  get filler() {
    return join(this.folder, 'filler');
  }

  /** Takes what is free: most of it reserved in one go, the rest block by block. */
  fill() {
    if (this.reason !== undefined) throw new Error(this.reason);
    const { bavail, bsize } = statfsSync(this.folder);
    try {
      run('fallocate', '-l', String(Math.max(1, (bavail - 64) * bsize)), this.filler);
    } catch {
      // Somebody took some of it meanwhile: the rest is written.
    }
    const file = openSync(this.filler, 'a');
    try {
      for (let size = BLOCK.length; size >= 1;) {
        try {
          writeSync(file, BLOCK, 0, size);
        } catch (error) {
          if (error.code !== 'ENOSPC') throw error;
          size = Math.floor(size / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free() {
    rmSync(this.filler, { force: true });
  }

  remove() {
    if (this.reason === undefined) {
      try {
        run('umount', this.folder);
      } catch {
        run('umount', '--lazy', this.folder);
      }
    }
    rmSync(this.image, { force: true });
  }
}
