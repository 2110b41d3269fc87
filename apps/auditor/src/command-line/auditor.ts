/**
 * The command line: which commands there are, how their reports are printed, and what their exit codes mean.
 * 0: all is well. 1: a finding, or nothing found. 2: wrong usage, or an outage.
 */
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { OFFLINE_COMMANDS, runOfflineCommand } from '@stablecoin/event-proofs/offline-commands';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { parseAsOf } from '../balance/as-of';
import { balanceReport } from '../balance/balance';
import { checkpointReport } from '../checkpoint/checkpoint';
import { explainReport } from '../explain/explain';
import { walletReport } from '../explain/explain-wallet';
import { exportEvents } from '../export/export';
import { checkpointsReport, consistencyReport, proofReport } from '../prove/prove';
import { readShards } from '../rebuild/rebuild-log';
import { replay } from '../replay/replay';
import { replayReport } from '../replay/replay.report';
import { verify } from '../verify/verify';
import { verificationReport } from '../verify/verify.report';
import { ENVIRONMENT, withLedger } from './ledger';
import { Progress } from './progress';
import { AuditFailure, EXIT, Report } from './report';

export function createAuditor(env: NodeJS.ProcessEnv, stdout: Writable, stderr: Writable) {
  let exitCode: number = EXIT.ok;

  const reporting = async (json: boolean | undefined, work: (database: LedgerDatabase) => Promise<Report>) => {
    const report = await withLedger(env, work);
    stdout.write(json ? `${JSON.stringify({ ok: report.ok, ...report.json })}\n` : `${report.text}\n`);
    if (!report.ok) exitCode = EXIT.finding;
  };

  const auditor = new Command('audit')
    .description('Proves the ledger from its log, reading only.')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();

  auditor
    .command('verify')
    .description('Checks every event and every projection; names the first bad position of each shard')
    .option('--shard <number>', 'only this shard', wholeNumber)
    .option('--key <public key>', 'trust checkpoints by this key; may be repeated', collected(trustedKey))
    .option('--checkpoint <file>', 'a checkpoint that was kept elsewhere; may be repeated', collected(keptCheckpoint))
    .option('--json', JSON_HELP)
    .action(({ json, shard, key: keys, checkpoint: kept }: VerifyFlags) =>
      reporting(json, (database) =>
        timed((onStart) => verify(database, { shard, keys, kept, onStart }), verificationReport),
      ),
    );

  auditor
    .command('replay')
    .description('Rebuilds every projection from the log and compares it with the live one, byte for byte')
    .option('--keep', 'leave the rebuilt tables behind, in the schema that is named at the end')
    .option('--json', JSON_HELP)
    .action(({ json, keep }: { json?: boolean; keep?: boolean }) =>
      reporting(json, (database) => timed((onStart) => replay(database, new Date(), { keep, onStart }), replayReport)),
    );

  auditor
    .command('balance')
    .description('What a wallet held at a time or at a position of its shard')
    .requiredOption('--wallet <id>', 'id of the wallet')
    .requiredOption('--as-of <time|position>', 'ISO 8601 with a zone, or a position; its own moment included')
    .option('--json', JSON_HELP)
    .action(({ json, wallet, asOf }: { json?: boolean; wallet: string; asOf: string }) => {
      const moment = parseAsOf(asOf);
      return reporting(json, (database) => balanceReport(database, wallet, moment));
    });

  auditor
    .command('explain')
    .description('The events behind a transaction or behind the balance of a wallet, with their hashes')
    .argument('[transaction_id]', 'the 10 characters, or the id')
    .option(
      '--wallet <id>',
      'in place of a transaction: the events of this wallet, with the quote or payout behind each',
    )
    .option('--limit <number>', 'of a wallet, the newest events', wholeNumber, 100)
    .option('--json', JSON_HELP)
    .action((reference: string | undefined, { json, wallet, limit }: ExplainFlags) => {
      if ((reference === undefined) === (wallet === undefined)) {
        throw new AuditFailure('explain takes a transaction_id, or --wallet with the id of a wallet.');
      }
      return reporting(json, (database) =>
        wallet === undefined ? explainReport(database, reference ?? '') : walletReport(database, wallet, limit),
      );
    });

  auditor
    .command('checkpoints')
    .description('The keys of each shard, and what was signed last')
    .option('--json', JSON_HELP)
    .action(({ json }: { json?: boolean }) => reporting(json, checkpointsReport));

  auditor
    .command('checkpoint')
    .description('Asks the running ledger to sign its log now, every shard of it')
    .option('--json', JSON_HELP)
    .action(({ json }: { json?: boolean }) =>
      reporting(json, async (database) =>
        checkpointReport(
          env,
          (await readShards(database)).map(({ shard }) => shard),
        ),
      ),
    );

  auditor
    .command('prove')
    .description('A proof of a transaction, to be checked without this database')
    .argument('<transaction_id>', 'the 10 characters, or the id')
    .option('--out <file>', 'written there instead of to stdout')
    .option('--json', JSON_HELP)
    .action((reference: string, { json, out }: { json?: boolean; out?: string }) =>
      reporting(json, (database) => proofReport(database, reference, out)),
    );

  auditor
    .command('prove-consistency')
    .description('A proof that the log of one checkpoint is the beginning of a later one')
    .requiredOption('--shard <number>', 'the shard', wholeNumber)
    .requiredOption('--from <size>', 'size of the older checkpoint', wholeNumber)
    .option('--to <size>', 'size of the later one; without it, the newest', wholeNumber)
    .option('--out <file>', 'written there instead of to stdout')
    .option('--json', JSON_HELP)
    .action(({ json, shard, out, ...sizes }: ConsistencyFlags) =>
      reporting(json, (database) => consistencyReport(database, shard, sizes, out)),
    );

  auditor
    .command('export')
    .description('The log on stdout, a line {"shard","position","hash","body"} per event, shard by shard')
    .option('--shard <number>', 'only this shard', wholeNumber)
    .option('--after <position>', 'only what comes after this position of --shard', wholeNumber)
    .option('--limit <number>', 'at most so many events', wholeNumber)
    .option('--json', 'the output is JSON lines in any case')
    .action((options: { shard?: number; after?: number; limit?: number }) => {
      if (options.after !== undefined && options.shard === undefined) {
        throw new AuditFailure('--after counts in one shard: name it with --shard.');
      }
      return withLedger(env, async (database) => {
        const shards = (await readShards(database)).map(({ shard }) => shard);
        const { shard } = options;
        if (shard !== undefined && !shards.includes(shard)) {
          throw new AuditFailure(`There is no shard ${shard}: there are ${shards.join(', ') || 'none'}.`);
        }
        await exportEvents(database, stdout, { ...options, shards: shard === undefined ? shards : [shard] });
      });
    });

  const run = async (args: readonly string[]): Promise<number> => {
    if (OFFLINE_COMMANDS.includes(args[0] ?? '')) {
      const { code, out, err } = runOfflineCommand(args);
      stdout.write(out);
      stderr.write(err);
      return code;
    }
    try {
      await auditor.parseAsync(args, { from: 'user' });
      return exitCode;
    } catch (error) {
      // Commander has said by itself what is wrong, and where help is.
      if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failure;
      stderr.write(`${messageOf(error)}\n`);
      return error instanceof AuditFailure ? error.exitCode : EXIT.failure;
    }
  };
  return { run };
}

const JSON_HELP = 'one JSON object on stdout';
const HELP = `
Without a database or a network (try --help with each):
  verify-proof FILE --key PUBLIC_KEY            checks a proof
  verify-consistency OLD NEW --key PUBLIC_KEY   checks that a log has only grown

Database: ${ENVIRONMENT.join(', else ')}.
Exit codes: 0 all is well, 1 a finding, 2 wrong usage or an outage.`;

export async function timed<Found>(
  work: (onStart: (total: number) => (events: number) => void) => Promise<Found>,
  report: (found: Found, elapsedMs: number) => Report,
): Promise<Report> {
  const started = Date.now();
  let progress: Progress | undefined;
  try {
    const found = await work((total) => (progress = new Progress(total)).add);
    return report(found, Date.now() - started);
  } finally {
    progress?.end();
  }
}

interface VerifyFlags {
  json?: boolean;
  shard?: number;
  key?: TrustedKey[];
  checkpoint?: string[];
}

interface ExplainFlags {
  json?: boolean;
  wallet?: string;
  limit: number;
}

interface ConsistencyFlags {
  json?: boolean;
  shard: number;
  from: number;
  to?: number;
  out?: string;
}

/** An option that may be given several times. */
const collected =
  <Value>(read: (text: string) => Value) =>
  (text: string, before: Value[] = []): Value[] => [...before, read(text)];

function trustedKey(text: string): TrustedKey {
  const key = parseTrustedKey(text);
  if (!key) throw new InvalidArgumentError('It takes 32 bytes in base64, or a key in the form name+id+base64.');
  return key;
}

function keptCheckpoint(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (readCheckpoint(text)) return text;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  throw new InvalidArgumentError('The file is no signed checkpoint.');
}

function wholeNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

/** One line, whatever it was. */
export function messageOf(error: unknown): string {
  if (error instanceof AuditFailure) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  return `The audit could not be finished: ${text.trim().split('\n').at(-1)}`;
}
