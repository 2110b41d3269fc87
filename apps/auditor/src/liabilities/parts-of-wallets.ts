import { LiabilityPlace } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { PartOfWallets } from '@stablecoin/ledger-store/liabilities/wallet-liabilities';
import { DatabaseWithShards } from '../database/placed-snapshots';

/** Of each database the positions of the shards that it has; those of a shard that none has, of the first. */
export function partsOfWallets(
  databases: readonly DatabaseWithShards[],
  { shards: places }: Pick<LiabilityPlace, 'shards'>,
): PartOfWallets[] {
  const ofOthers = new Set(databases.slice(1).flatMap(({ shards }) => shards));
  return databases.map(({ snapshot, shards }, index) => ({
    sql: snapshot,
    positions: places.filter(({ shard }) => (index === 0 ? !ofOthers.has(shard) : shards.includes(shard))),
  }));
}
