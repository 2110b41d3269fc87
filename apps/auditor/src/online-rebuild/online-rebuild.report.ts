import { counted, grouped, Report } from '../report/report';
import { tableLines } from '../rebuild/compare-tables.report';
import { OnlineRebuild } from './online-rebuild';

export function onlineRebuildReport(found: OnlineRebuild, elapsedMs: number): Report {
  const seconds = elapsedMs / 1000;
  const rate = Math.round((found.events * 1000) / Math.max(elapsedMs, 1));
  const lines = [
    ...found.faults.map(
      ({ shard, position, problem }) =>
        `!! shard ${shard} can't be rebuilt beyond position ${grouped(position)}: ${problem}\n` +
        `What to do: nothing was switched. npm run audit -- verify says more.`,
    ),
    ...(found.differences.length > 0 ? tableLines(found.differences) : []),
    ...(found.nodes_differing > 0
      ? [`!! ${counted(found.nodes_differing, 'stored node')} of the shards' trees not as the log says`]
      : []),
    verdictOf(found),
    `${counted(found.events, 'event')} in ${seconds.toFixed(1)} s, ${grouped(rate)}/s`,
  ];
  return { ok: found.ok, json: { ...found, seconds, events_per_second: rate }, text: lines.join('\n') };
}

function verdictOf({ faults, differences, nodes_differing, switch: done }: OnlineRebuild): string {
  if (done) {
    return (
      `Switched: the projections are those of the log. No writer could append for ${grouped(done.paused_ms)} ms. The tables ` +
      `from before are in the schema ${done.replaced_schema}: drop it when you are done with them.`
    );
  }
  if (faults.length > 0) return 'NOT switched: the log is at fault.';
  return differences.length + nodes_differing > 0
    ? 'The live tables are NOT as the log says: run it again with --switch to replace them.'
    : 'The live tables are as the log says: there is nothing to replace.';
}
