import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { Witness } from '@stablecoin/witness/witness';
import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { collected, configuredWitnesses, JSON_HELP, witness, WITNESS_HELP } from '../command-line/options';
import { LedgerDatabases } from '../database/ledger';
import { placedShards } from '../database/where-shards-are';
import { AuditFailure, Report, table } from '../report/report';
import { askWitnesses } from '../verify/witnesses';

interface WitnessesFlags {
  json?: boolean;
  witness?: Witness[];
  ledger?: string;
}

export function addWitnessesCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('witnesses')
    .description('How much of what was signed each witness has seen, and what it has refused')
    .option('--witness <address>', `this one; may be repeated. ${WITNESS_HELP}`, collected(witness))
    .option(
      '--ledger <name>',
      'how the ledger is called at witnesses (CHECKPOINT_ORIGIN); else the only one that they know',
    )
    .option('--json', JSON_HELP)
    .action(({ json, ledger, ...flags }: WitnessesFlags) => {
      const witnesses = flags.witness ?? configuredWitnesses(commandLine.env);
      return commandLine.print(json, (ledgers) => witnessesReport(ledgers, witnesses, ledger));
    });
}

/** Not `ok` where a witness lacks what was signed, or has refused a second log. */
async function witnessesReport(ledgers: LedgerDatabases, witnesses: Witness[], ledger?: string): Promise<Report> {
  if (witnesses.length === 0) throw new AuditFailure('Which witness? Give --witness or AUDIT_WITNESSES.');
  const placed = await placedShards(ledgers);
  const signed = new Map<number, number>();
  for (const { shard, database } of placed) signed.set(shard, (await latestCheckpoint(database, shard))?.size ?? 0);
  const rows = (await askWitnesses(placed, { witnesses, ledger })).map(({ note, refused, ...of }) => {
    const seen = note === null ? undefined : readCheckpoint(note);
    const second = refused.filter(({ is_proof }) => is_proof).length;
    return {
      ...of,
      signed: signed.get(of.shard) ?? 0,
      seen: seen?.size ?? 0,
      seen_time: seen?.time ?? null,
      refused: second,
    };
  });
  const isWell = (row: (typeof rows)[number]) => row.seen >= row.signed && row.refused === 0;
  const lines = rows.map((row) => [
    isWell(row) ? '  ' : '!!',
    `shard ${row.shard}`,
    row.witness,
    `${row.signed} events signed, ${row.seen} seen${row.seen_time ? ` as of ${row.seen_time}` : ''}`,
    row.refused === 0 ? '' : `${row.refused} refused that contradict it`,
  ]);
  return { ok: rows.every(isWell), json: { witnesses: rows }, text: table(lines) };
}
