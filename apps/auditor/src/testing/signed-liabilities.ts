import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import {
  liabilitiesOriginOf,
  LiabilityStatement,
  signLiabilities,
  StatedShard,
} from '@stablecoin/event-proofs/liabilities/liability-statement';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { insertLiabilities, insertTile, latestLiabilities } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { makeLiabilityTrees } from '@stablecoin/ledger-store/liabilities/liability-trees';
import { Sql } from '@stablecoin/persistence/sql';

export const liabilitySignerOf = (seed = 6) =>
  new NoteSigner(liabilitiesOriginOf('ledger.test'), Buffer.alloc(32, seed));

interface Signing {
  /** Changes what is signed. */
  forge?: (honest: LiabilityStatement) => LiabilityStatement;
  seed?: number;
  form?: LiabilityStatement['form'];
  /** Databases with some of the shards; the statement is kept in the first one. */
  others?: readonly { database: LedgerDatabase; shards: readonly number[] }[];
}

/** Signs what is owed at the last checkpoint of each shard, as the ledger does, but believes the tables. */
export function signLiabilitiesOf(
  database: LedgerDatabase,
  shards: readonly number[],
  { forge = (honest) => honest, seed = 6, form = 2, others = [] }: Signing = {},
): Promise<string> {
  const signer = liabilitySignerOf(seed);
  const secret = Buffer.alloc(32, 9);
  return database.$transaction(
    async (snapshot) => {
      const places: StatedShard[] = [];
      for (const shard of shards) {
        const { database: sql = snapshot } = others.find((other) => other.shards.includes(shard)) ?? {};
        const said = readCheckpoint((await latestCheckpoint(sql, shard))?.note ?? '');
        if (said) places.push({ shard, size: said.size, root: said.root });
      }
      const number = ((await latestLiabilities(snapshot))?.number ?? 0) + 1;
      const time = new Date(Date.UTC(2026, 10, 21, 13) + number * 60_000).toISOString();
      const place = { form, origin: signer.name, number, time, shards: places };
      const isElsewhere = (shard: number) => others.some((other) => other.shards.includes(shard));
      const here = { sql: snapshot, positions: places.filter(({ shard }) => !isElsewhere(shard)) };
      const owed = await withSnapshots(others, (elsewhere) => {
        const parts = elsewhere.map(({ sql, shards: had }) => ({
          sql,
          positions: places.filter(({ shard }) => had.includes(shard)),
        }));
        return makeLiabilityTrees([here, ...parts], place, { secret, pending: 'by counts' }, (tile) =>
          insertTile(snapshot, number, tile),
        );
      });
      const note = signLiabilities(forge({ ...place, owed }), signer);
      const key = { key_id: signer.keyId, verifier_key: signer.verifierKey };
      await insertLiabilities(snapshot, { number, note, ...key, secret, created_at: time });
      return note;
    },
    { isolationLevel: 'RepeatableRead' },
  );
}

interface OtherSnapshot {
  sql: Sql;
  shards: readonly number[];
}

async function withSnapshots<Result>(
  [first, ...others]: readonly { database: LedgerDatabase; shards: readonly number[] }[],
  work: (snapshots: OtherSnapshot[]) => Promise<Result>,
): Promise<Result> {
  if (!first) return work([]);
  return first.database.$transaction((sql) =>
    withSnapshots(others, (snapshots) => work([{ sql, shards: first.shards }, ...snapshots])),
  );
}
