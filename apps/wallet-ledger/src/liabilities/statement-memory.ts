/**
 * Which statement of liabilities this instance has signed last, kept outside Postgres beside what it has signed of logs (`signed-memory`).
 * The owner of the database can delete the newest statements; without this the ledger would make others of the same numbers.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeDurably } from '../checkpoints/durable-file';

export interface RememberedStatement {
  number: number;
  /** SHA-256 of the signed note, in hexadecimal. */
  hash: string;
  time: string;
}

export const hashOfNote = (note: string): string => createHash('sha256').update(note).digest('hex');

export class StatementMemoryFile {
  private readonly place: string;

  constructor(private readonly directory: string) {
    this.place = join(directory, 'liabilities.json');
  }

  async read(): Promise<RememberedStatement | undefined> {
    const text = await readIfThere(this.place);
    return text === undefined ? undefined : (JSON.parse(text) as RememberedStatement);
  }

  /** Instances may share a directory: the number that the file names never falls. */
  async write(statement: RememberedStatement): Promise<void> {
    const before = await this.read();
    if (before && before.number > statement.number) return;
    await writeDurably(this.directory, this.place, statement);
  }
}
