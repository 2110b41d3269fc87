/**
 * Instances of the wallet-ledger that work at home and not on another of its databases: of a version before there were several
 * (docs/adr/0066), or without that one in their LEDGER_DATABASES. One of a version before reads at home whatever shard it is asked about:
 * of a shard that has left it would answer what was left behind.
 */
import { Sql } from '@stablecoin/persistence/sql';

/** As an instance is alive for the others. */
const ALIVE_MS = 3_000;

/** @returns their names */
export async function instancesWithout(home: Sql, other: Sql): Promise<string[]> {
  const [atHome, there] = [await aliveIn(home), new Set(await aliveIn(other))];
  return atHome.filter((instance) => !there.has(instance));
}

async function aliveIn(sql: Sql): Promise<string[]> {
  const rows = await sql.$queryRaw<{ instance: string }[]>`
    SELECT instance FROM ledger_instances WHERE seen_at >= now() - make_interval(secs => ${ALIVE_MS / 1000}) ORDER BY instance`;
  return rows.map(({ instance }) => instance);
}
