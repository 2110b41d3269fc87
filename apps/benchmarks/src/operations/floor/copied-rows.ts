/**
 * One transaction of one round trip: rows by COPY, then statements without parameters, and COMMIT. The server asks for
 * the rows of one COPY after the other and gets each as one buffer.
 */
import type { Client, Connection, Submittable } from 'pg';

export interface CopiedRows {
  /** The table and its columns. */
  into: string;
  rows: readonly (readonly Value[])[];
}

export type Value = string | number | bigint | Buffer | null;

/** The part of pg's connection that its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

export function committed(client: Client, copies: readonly CopiedRows[], statements: readonly string[]): Promise<void> {
  const filled = copies.filter(({ rows }) => rows.length > 0);
  return new Promise((resolve, reject) => {
    client.query(new CopyTransaction(filled, statements, (error) => (error ? reject(error) : resolve())));
  });
}

class CopyTransaction implements Submittable {
  private readonly chunks: Buffer[];
  private failure: Error | undefined;

  constructor(
    private readonly copies: readonly CopiedRows[],
    private readonly statements: readonly string[],
    private readonly over: (error?: Error) => void,
  ) {
    this.chunks = copies.map(({ rows }) => Buffer.from(rows.map(lineOf).join('')));
  }

  submit(connection: Connection): void {
    const copies = this.copies.map(({ into }) => `COPY ${into} FROM STDIN`);
    connection.query(['BEGIN', ...copies, ...this.statements, 'COMMIT'].join(';\n'));
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.chunks.shift() as Buffer);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}

  handleError(error: Error): void {
    this.failure = error;
  }

  handleReadyForQuery(): void {
    this.over(this.failure);
  }
}

const lineOf = (values: readonly Value[]): string => `${values.map(textOf).join('\t')}\n`;

function textOf(value: Value): string {
  if (value === null) return '\\N';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return typeof value === 'string' ? value.replace(/[\\\n\t\r]/g, escaped) : String(value);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
const escaped = (character: string): string => ESCAPES[character] as string;
