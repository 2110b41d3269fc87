/**
 * A small file system for Postgres alone, in a file of the data folder, so that it can run full without the machine's own disk
 * running full. It takes a root that may mount; everywhere else Postgres lies in an ordinary folder, and `reason` says what was
 * missing. Full means: a filler takes every free block, so that no process, whatever it reserves, can add one.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { userId } from '@stablecoin/local-stack/paths';

/** A long run's log of changes and its tables; the file is sparse, so that unused space is not taken. */
const SIZE_BYTES = 8 * 1024 ** 3;
const BLOCK = Buffer.alloc(4 * 1024 * 1024);
/** So many are left to be written one by one, since others may take some meanwhile. */
const BLOCKS_NOT_RESERVED = 64;
const COMMAND_TIMEOUT_MS = 60_000;

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { stdio: 'pipe', timeout: COMMAND_TIMEOUT_MS });

export class SmallDisk {
  private constructor(
    readonly folder: string,
    private readonly image: string,
    /** Why the disk can't be filled; undefined when it can. */
    readonly reason: string | undefined,
  ) {}

  static tryMake(folder: string, image: string): SmallDisk {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    if (userId() !== 0) return new SmallDisk(folder, image, 'mounting a small file system takes root');
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
      return new SmallDisk(folder, image, firstLine(error));
    }
  }

  /** Takes what is free: most of it reserved in one go, the rest block by block. */
  fill(): void {
    if (this.reason !== undefined) throw new Error(this.reason);
    const { bavail, bsize } = statfsSync(this.folder);
    try {
      run('fallocate', '-l', String(Math.max(1, (bavail - BLOCKS_NOT_RESERVED) * bsize)), this.filler);
    } catch {
      // Postgres took some of it meanwhile: the rest is written.
    }
    const file = openSync(this.filler, 'a');
    try {
      for (let size = BLOCK.length; size >= 1;) {
        if (!wrote(file, size)) size = Math.floor(size / 2);
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.filler, { force: true });
  }

  remove(): void {
    if (this.reason === undefined) {
      try {
        run('umount', this.folder);
      } catch {
        run('umount', '--lazy', this.folder);
      }
    }
    rmSync(this.image, { force: true });
  }

  private get filler(): string {
    return join(this.folder, 'filler');
  }
}

/** Whether there was room for so many bytes. */
function wrote(file: number, size: number): boolean {
  try {
    writeSync(file, BLOCK, 0, size);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
    return false;
  }
}

function firstLine(error: unknown): string {
  const said = String((error as { stderr?: Buffer }).stderr ?? '') || errorMessage(error);
  return said.trim().split('\n')[0] ?? '';
}
