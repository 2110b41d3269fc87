import { counted, grouped, Report, table } from '../report/report';
import { isEqual } from '../rebuild/compare-tables';
import { tableLines } from '../rebuild/compare-tables.report';
import { Replay, ReplayedTable } from './replay';

export function replayReport(found: Replay, elapsedMs: number): Report {
  const seconds = elapsedMs / 1000;
  const faults = found.shards.flatMap(({ fault }) =>
    fault
      ? [`!! shard ${fault.shard} can't be replayed beyond position ${grouped(fault.position)}: ${fault.problem}`]
      : [],
  );
  const kept =
    found.schema === null ? [] : [`The tables are in the schema ${found.schema}: drop it when you are done.`];
  const differences = found.differences.filter((comparison) => !isEqual(comparison));
  const verdict = found.ok
    ? `Equal: ${counted(found.events, 'event')} give the live tables, byte for byte.`
    : 'NOT equal: see the lines marked with !!';
  const lines = [
    ...faults,
    table(found.tables.map(tableLine)),
    ...(differences.length > 0 ? tableLines(differences) : []),
  ];
  return {
    ok: found.ok,
    json: { ...found, seconds },
    text: [...lines, ...kept, `${verdict} ${seconds.toFixed(1)} s`].join('\n'),
  };
}

function tableLine({ table: name, equal, replayed, live }: ReplayedTable): string[] {
  const digest = equal
    ? replayed.sha256
    : `${replayed.sha256.slice(0, 16)}… replayed, ${live.sha256.slice(0, 16)}… live`;
  return [equal ? '  ' : '!!', name, counted(replayed.rows, 'row'), digest];
}
