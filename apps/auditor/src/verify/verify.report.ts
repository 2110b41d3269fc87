import { counted, grouped, Report, table } from '../command-line/report';
import { isEqual, TableComparison } from '../rebuild/compare-tables';
import { ShardOutcome } from '../rebuild/rebuild-log';
import { Verification } from './verify';

export function verificationReport(found: Verification, elapsedMs: number): Report {
  const first_fault = found.shards.find(({ fault }) => fault)?.fault ?? null;
  const seconds = elapsedMs / 1000;
  const verdict = found.ok
    ? `Intact: ${counted(found.events, 'event')}, and every projection follows from the log.`
    : 'NOT intact: see the lines marked with !!';
  return {
    ok: found.ok,
    json: { ...found, first_fault, seconds },
    text: [table(found.shards.map(shardLine)), ...otherLines(found), `${verdict} ${seconds.toFixed(1)} s`].join('\n'),
  };
}

function otherLines(found: Verification): string[] {
  const beyond = found.published_beyond.map(
    ({ shard, published, logged }) =>
      `!! shard ${shard}: published up to position ${published}, but the log ends at ${logged}`,
  );
  const sums = found.sums.map(({ shard, of, problem }) => `!! shard ${shard}: ${of}: ${problem}`);
  return [...beyond, ...sums, ...tableLines(found.tables)];
}

/** One line per table, and one per row named. */
export function tableLines(tables: readonly TableComparison[]): string[] {
  if (tables.length === 0) return ['   projections not compared: no shard has a sound log'];
  const lines = table(tables.map(tableLine)).split('\n');
  return tables.flatMap(({ first }, index) => [
    lines[index] ?? '',
    ...first.map(
      ({ key, kind, columns }) => `     ${kind}: ${key}${columns.length > 0 ? ` in ${columns.join(', ')}` : ''}`,
    ),
  ]);
}

function shardLine({ shard, events, head_hash, fault }: ShardOutcome): string[] {
  if (fault) return ['!!', `shard ${shard}`, `position ${grouped(fault.position)}`, fault.problem];
  return ['  ', `shard ${shard}`, counted(events, 'event'), `head ${head_hash.slice(0, 16)}…`];
}

function tableLine(comparison: TableComparison): string[] {
  const { table: name, rows, missing, surplus, differing } = comparison;
  const verdict = isEqual(comparison)
    ? 'as the log says'
    : `${missing} missing, ${surplus} surplus, ${differing} differing`;
  return [isEqual(comparison) ? '  ' : '!!', name, counted(rows, 'row'), verdict];
}
