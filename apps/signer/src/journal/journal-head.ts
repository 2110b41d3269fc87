// How far the journal was answered for: the number of its last line and that line's hash, in a file of their own. Without it
// a journal whose end was cut off would look like a shorter one. Two records in two sectors, written in turns, so that a
// write that is cut short leaves the one before.

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

export interface Head {
  /** How many lines there are. */
  readonly lines: number;
  readonly hash: string;
}

const SECTOR_BYTES = 512;
const RECORD = /^(\d{16}) ([0-9a-f]{64}) ([0-9a-f]{64})\n/;

/** Undefined where neither record is whole. */
export async function readHead(file: FileHandle): Promise<Head | undefined> {
  const both = Buffer.alloc(2 * SECTOR_BYTES);
  await file.read(both, 0, both.length, 0);
  const [first, second] = [recordIn(both.subarray(0, SECTOR_BYTES)), recordIn(both.subarray(SECTOR_BYTES))];
  if (first === undefined || second === undefined) return first ?? second;
  return first.lines > second.lines ? first : second;
}

export async function writeHead(file: FileHandle, { lines, hash }: Head): Promise<void> {
  const text = `${String(lines).padStart(16, '0')} ${hash}`;
  const record = Buffer.from(`${text} ${checksum(text)}\n`);
  const { bytesWritten } = await file.write(record, 0, record.length, (lines % 2) * SECTOR_BYTES);
  if (bytesWritten !== record.length) throw new Error('The head of the journal could not be written whole');
  await file.sync();
}

function recordIn(sector: Buffer): Head | undefined {
  const [, lines = '', hash = '', sum] = RECORD.exec(sector.toString('latin1')) ?? [];
  return sum !== undefined && sum === checksum(`${lines} ${hash}`) ? { lines: Number(lines), hash } : undefined;
}

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');
