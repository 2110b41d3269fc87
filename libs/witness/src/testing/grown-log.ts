/** A log of a spec: leaves that are added, checkpoints of any size, and the proofs between them. */
import { signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange } from '@stablecoin/event-proofs/compact-range';
import { Hash, leafHash } from '@stablecoin/event-proofs/merkle-tree';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { consistencyPath, Tile } from '@stablecoin/event-proofs/tree-proofs';
import { WitnessRequest } from '@stablecoin/event-proofs/witness-request';

export class GrownLog {
  readonly signer: NoteSigner;

  /** @param salt another one is another log under the same name and key */
  constructor(
    readonly origin = 'ledger.test/shard/0',
    private readonly salt = '',
    seed = 3,
  ) {
    this.signer = new NoteSigner(origin, Buffer.alloc(32, seed));
  }

  checkpoint(size: number, time = '2026-11-21T12:00:00.000Z'): string {
    const range = new CompactRange();
    this.leaves(size).forEach((leaf) => range.append(leaf));
    return signCheckpoint({ size, root: range.root, time }, this.signer);
  }

  async request(oldSize: number, size: number): Promise<WitnessRequest> {
    return { oldSize, path: await this.path(oldSize, size), note: this.checkpoint(size) };
  }

  /** Of fewer than 256 leaves, which are in one tile. */
  path(oldSize: number, size: number): Promise<Hash[]> {
    return consistencyPath(() => Promise.resolve(new Tile(this.leaves(size))), oldSize, size);
  }

  private leaves(size: number): Hash[] {
    return Array.from({ length: size }, (_, index) => leafHash(`${this.salt}${index}`));
  }
}
