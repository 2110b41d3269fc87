/**
 * The indices of deposit addresses. The ledger's facts tell addresses alone, and the signer is asked by index: both follow
 * from the public parent that the signer describes. They are derived in order, and only as far as they are needed.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { evmChild } from '@stablecoin/addresses/derive-address';
import { extendedPublicKey } from '@stablecoin/addresses/extended-public-key';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { columnsOf } from '@stablecoin/persistence/columns';
import { byteaText } from '../persistence/bytes';
import { ChainDatabase } from '../persistence/chain-database';

/** Each takes about a millisecond of computing. */
const BATCH = 25;
/** Of one call; the next pass goes on where it ended. */
const DERIVED_MAX = 500;
/** The ledger draws indices in order, and leaves some unused. Beyond these an address is no child of this parent. */
const SPARE_INDICES = 10_000;

@Injectable()
export class DerivedAddresses {
  private readonly log = new Logger(DerivedAddresses.name);
  private readonly foreign = new Set<Hex>();

  constructor(private readonly database: ChainDatabase) {}

  /** Derives on, until these are found or it was enough for once. @param xpub the signer's public parent */
  async find(xpub: string, wanted: readonly Hex[]): Promise<void> {
    const missing = new Set(wanted.filter((address) => !this.foreign.has(address)));
    if (missing.size === 0) return;
    const parent = extendedPublicKey(xpub);
    const { next, enough } = await this.extent();
    const last = Math.min(next + DERIVED_MAX, enough);
    for (let index = next; index < last && missing.size > 0; index += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, last - index) }, (_, place) => ({
        index: index + place,
        address: evmChild(parent, index + place).toLowerCase() as Hex,
      }));
      await this.store(batch);
      for (const { address } of batch) missing.delete(address);
      await otherWork();
    }
    if (next < enough) return;
    for (const address of missing) {
      this.foreign.add(address);
      this.log.error(
        `${address} is none of the first ${enough} addresses of the signer's parent: is it of another seed?`,
      );
    }
  }

  private async extent(): Promise<{ next: number; enough: number }> {
    const [row] = await this.database.$queryRaw<{ next: number; known: number }[]>`
      SELECT (SELECT coalesce(max(index) + 1, 0) FROM derived_addresses)::int AS next,
        (SELECT count(DISTINCT address) FROM deposit_addresses)::int AS known`;
    return { next: row?.next ?? 0, enough: 2 * (row?.known ?? 0) + SPARE_INDICES };
  }

  private async store(derived: readonly { index: number; address: Hex }[]): Promise<void> {
    const column = columnsOf(derived.map(({ index, address }) => ({ index, address: byteaText(address) })));
    await this.database.$executeRaw`
      INSERT INTO derived_addresses (index, address)
      SELECT * FROM unnest(${column('index')}::int[], ${column('address')}::bytea[]) ON CONFLICT (index) DO NOTHING`;
  }
}
