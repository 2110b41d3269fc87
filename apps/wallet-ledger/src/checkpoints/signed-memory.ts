/**
 * What a ledger instance has signed last, kept outside Postgres: a file per shard in a directory. The owner of the database
 * can delete checkpoints, but not these.
 * Instances may share a directory, because the size that a file names never falls.
 */
import { join } from 'node:path';
import { readIfThere, writeDurably } from './durable-file';

export interface SignedState {
  origin: string;
  /** The number of events, which is the position of the last one. */
  size: number;
  /** Of the Merkle tree over them. */
  root: Buffer;
  /** The chain's hash of the last event. */
  head_hash: Buffer;
  /** The public key that signed, in the form of signed notes. */
  verifier_key: string;
  time: string;
}

export interface SignedMemory {
  /** Where it is kept, for messages. */
  place(shard: number): string;
  read(shard: number): Promise<SignedState | undefined>;
  write(shard: number, state: SignedState): Promise<void>;
}

interface StoredState extends Omit<SignedState, 'root' | 'head_hash'> {
  root: string;
  head_hash: string;
}

export class SignedMemoryFiles implements SignedMemory {
  constructor(private readonly directory: string) {}

  place(shard: number): string {
    return join(this.directory, `shard-${shard}.json`);
  }

  async read(shard: number): Promise<SignedState | undefined> {
    const text = await readIfThere(this.place(shard));
    if (text === undefined) return undefined;
    const { root, head_hash, ...state } = JSON.parse(text) as StoredState;
    return { ...state, root: Buffer.from(root, 'hex'), head_hash: Buffer.from(head_hash, 'hex') };
  }

  async write(shard: number, state: SignedState): Promise<void> {
    const before = await this.read(shard);
    if (before && before.size > state.size) return;
    const { root, head_hash } = state;
    const stored: StoredState = { ...state, root: root.toString('hex'), head_hash: head_hash.toString('hex') };
    await writeDurably(this.directory, this.place(shard), stored);
  }
}
