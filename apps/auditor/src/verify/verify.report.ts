import { counted, grouped, Report, table } from '../report/report';
import { isEqual } from '../rebuild/compare-tables';
import { tableLines } from '../rebuild/compare-tables.report';
import { ShardOutcome } from '../rebuild/rebuild-log';
import { CheckpointOutcome } from './checkpoint-check';
import { Verification } from './verify';

export function verificationReport(found: Verification, elapsedMs: number): Report {
  const first_fault = [...found.shards, ...found.checkpoints].find(({ fault }) => fault)?.fault ?? null;
  const seconds = elapsedMs / 1000;
  const verdict = found.ok
    ? `Intact: ${counted(found.events, 'event')}, and every projection follows from the log.`
    : 'NOT intact: see the lines marked with !!';
  return {
    ok: found.ok,
    json: { ...found, first_fault, seconds },
    text: [
      table(found.shards.map(shardLine)),
      ...otherLines(found),
      `${verdict} ${seconds.toFixed(1)} s`,
      ...whatToDo(found),
    ].join('\n'),
  };
}

function otherLines(found: Verification): string[] {
  const beyond = found.published_beyond.map(
    ({ shard, published, logged }) =>
      `!! shard ${shard}: published up to position ${published}, but the log ends at ${logged}`,
  );
  const sums = found.sums.map(({ shard, of, problem }) => `!! shard ${shard}: ${of}: ${problem}`);
  const commands = found.commands.map(
    ({ shard, position, command_id, problem }) =>
      `!! shard ${shard} position ${grouped(position)}: command ${command_id} ${problem}`,
  );
  return [...found.checkpoints.map(checkpointLine), ...beyond, ...sums, ...commands, ...tableLines(found.tables)];
}

/** Instructions for the operator on call: a paragraph per kind of finding, the gravest first. */
function whatToDo(found: Verification): string[] {
  const broken = found.shards.flatMap(({ fault }) => fault ?? []);
  const logs = broken.map(
    ({ shard, position }) =>
      `The log of shard ${shard} can be trusted up to position ${grouped(position - 1)} and no further. Stop ` +
      `wallet-ledger and change nothing. Compare what an older export or a restored backup has from position ` +
      `${grouped(position)} on (npm run audit -- export --shard ${shard} --after ${position - 1}), find out who ` +
      `connected as the database's owner, and restore the database to a moment before.`,
  );
  const tails = found.published_beyond.map(
    ({ shard, published, logged }) =>
      `The end of shard ${shard} is gone: positions ${grouped(logged + 1)} to ${grouped(published)} were told to ` +
      `other services. Stop wallet-ledger, and restore the database to a moment when it had them.`,
  );
  const signed = found.checkpoints.flatMap(({ fault }) => fault ?? []);
  const rewritten = signed.map(
    ({ shard, position }) =>
      `From position ${grouped(position)} on, shard ${shard} is not what the ledger has signed: either the log or the ` +
      `checkpoint was changed by somebody who could. Stop wallet-ledger and change nothing. Compare with checkpoints ` +
      `that were kept elsewhere (--checkpoint FILE), and restore the database to a moment before.`,
  );
  const results =
    found.commands.length > 0
      ? ['A command without its result takes effect again if it is sent again. Restore command_results from a backup.']
      : [];
  const projections = !found.tables.every(isEqual) || found.sums.length > 0;
  const tables =
    projections && broken.length + signed.length + found.published_beyond.length === 0
      ? ['The log is sound, so the tables can be made anew from it while the ledger works: npm run rebuild -- --switch']
      : [];
  return [...logs, ...tails, ...rewritten, ...results, ...tables].map((advice) => `What to do: ${advice}`);
}

function shardLine({ shard, events, head_hash, fault }: ShardOutcome): string[] {
  if (fault) return ['!!', `shard ${shard}`, `position ${grouped(fault.position)}`, fault.problem];
  return ['  ', `shard ${shard}`, counted(events, 'event'), `head ${head_hash.slice(0, 16)}…`];
}

function checkpointLine({ shard, verified, size, time, fault }: CheckpointOutcome): string {
  if (fault) return `!! shard ${shard} position ${grouped(fault.position)}: ${fault.problem}`;
  if (time === null) return `   shard ${shard}: nothing has been signed yet`;
  return `   shard ${shard}: as signed up to position ${grouped(size)} at ${time}, ${counted(verified, 'checkpoint')}`;
}
