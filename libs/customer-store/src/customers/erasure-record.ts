/**
 * Who was erased, kept outside of the database: a file to which lines with ids are added. A backup from before an erasure brings
 * the customer's data key back; by this record it is deleted again before the restored service takes a request.
 *
 * An erasure is in the file before it is committed: one that then fails in the database was still decided, and one whose line a
 * crash has cut off was not carried out.
 */
import { open, readFile } from 'node:fs/promises';

export interface Erasure {
  merchant_id: string;
  customer_id: string;
  erased_at: string;
}

export class ErasureRecord {
  constructor(private readonly file: string) {}

  /** Durable when it resolves. */
  async add(erasure: Erasure): Promise<void> {
    const file = await open(this.file, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      // After a line that a crash has cut off.
      const begin = size > 0 && last.toString() !== '\n' ? '\n' : '';
      await file.appendFile(`${begin}${JSON.stringify(erasure)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** @throws when the file has a line that can't be read: whom it names must not come back unnoticed */
  async all(): Promise<Erasure[]> {
    const text = await readFile(this.file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    });
    return text
      .split('\n')
      .filter((line) => line !== '' && !(line.startsWith('{') && !line.endsWith('}')))
      .map((line) => this.read(line));
  }

  private read(line: string): Erasure {
    try {
      const erasure = JSON.parse(line) as Erasure;
      if (/^[0-9a-f-]{36}$/.test(erasure.customer_id)) return erasure;
    } catch {
      // Refused below.
    }
    throw new Error(`${this.file} has a line that names no erased customer: ${line.slice(0, 100)}`);
  }
}
