import { table } from '@stablecoin/command-line/table';
import {
  listActs,
  RecordedAct,
  storedActs,
  VerifiedActs,
  verifyActs,
} from '@stablecoin/customer-store/operator-acts/operator-acts';
import { StoredAct } from '@stablecoin/event-chain/operators-acts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../arguments';
import { command, CommandContext } from '../command-context';
import { EXIT } from '../exit-codes';
import { onLog } from '../operator-database';

interface LogOptions {
  limit: number;
  since?: Date;
  verify?: boolean;
  export?: boolean;
  head?: string;
  json?: boolean;
}

const LIMIT_MAX = 10_000;
const HELP = `
Every change that an operator made, and every look at personal data: who, when, what, and why. Nothing is taken out of it or
changed: each act carries the hash of the one before it, which --verify follows from the first. An act that is broken, missing
or not where it belongs is named; exit code 1. The owner of the database could write all of it anew: write the head that
--verify prints down elsewhere, and give it to a later --verify with --head. What --export prints is for an auditor, who follows the
chain without this database: audit verify --acts FILE, audit solvency --acts FILE.`;

/** Shows and verifies the log of operators' acts. */
export function addLogCommand(root: Command, { settings, print, exitWith }: CommandContext): void {
  command(root, 'log', 'Shows what operators did, newest first.')
    .option('--limit <number>', `how many acts, up to ${LIMIT_MAX}`, wholeNumber(LIMIT_MAX), 100)
    .option('--since <time>', 'none before this moment, such as 2026-11-21 or 2026-11-21T10:00:00Z', moment)
    .addOption(new Option('--verify', 'follow the chain of hashes instead of showing acts'))
    .addOption(new Option('--export', 'all acts as they are stored, oldest first, one in a line').conflicts('verify'))
    .option('--head <number:hash>', 'with --verify: a head that was written down, which must still be there', headText)
    .addHelpText('after', HELP)
    .action(async ({ limit, since, verify, export: asStored, head, json }: LogOptions, self: Command) => {
      if (head !== undefined && !verify) self.error('error: --head goes with --verify');
      if (asStored) {
        print(await onLog(settings, storedActs), { table: storedText });
        return;
      }
      if (!verify) {
        print(await onLog(settings, (database) => listActs(database, { since, limit })), { json, table: actTable });
        return;
      }
      const verified = await onLog(settings, (database) => verifyActs(database, head));
      print(verified, { json, table: verifiedText });
      if (verified.fault !== null) exitWith(EXIT.refused);
    });
}

const storedText = (acts: StoredAct[]): string =>
  acts.map(({ hash, ...act }) => JSON.stringify({ ...act, hash: Buffer.from(hash).toString('hex') })).join('\n');

function moment(value: string): Date {
  const time = new Date(value);
  if (/^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('It must be a time such as 2026-11-21T10:00:00Z.');
}

function headText(value: string): string {
  if (/^\d{1,15}:[0-9a-f]{64}$/.test(value)) return value;
  throw new InvalidArgumentError('It must be a head as --verify prints it, NUMBER:HASH.');
}

function verifiedText({ acts, head, fault }: VerifiedActs): string {
  if (fault === null) return `Intact: ${acts} acts. Head: ${head}`;
  return `Act ${fault.number} ${fault.problem}. Intact before it: ${Math.min(acts, fault.number - 1)} acts.`;
}

function actTable(acts: RecordedAct[]): string {
  const rows = acts.map(
    ({ number, recorded_at, actor, database_user, action, merchant_id, customer_id, details, reason }) => [
      ...[String(number), recorded_at, actor, database_user, action, merchant_id ?? null, customer_id ?? null],
      ...[details === undefined ? null : detailsText(details), reason],
    ],
  );
  return table(['ACT', 'WHEN', 'WHO', 'LOGIN', 'WHAT', 'MERCHANT', 'CUSTOMER', 'DETAILS', 'REASON'], rows);
}

const detailsText = (details: object): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
