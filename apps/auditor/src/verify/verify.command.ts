import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CallerKeys, readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { readCheckpoint, shardOf } from '@stablecoin/event-proofs/checkpoint';
import { readLiabilities } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { isObject, unwrapped } from '@stablecoin/event-proofs/proof-documents';
import { TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { Witness } from '@stablecoin/witness/witness';
import { CommandLine } from '../command-line/command-line';
import {
  ACTS_HEAD_HELP,
  ACTS_HELP,
  collected,
  configuredLogins,
  configuredWitnesses,
  JSON_HELP,
  loginNames,
  pointInTime,
  trustedKey,
  wholeNumber,
  witness,
  WITNESS_HELP,
} from '../command-line/options';
import { readOperatorsActs } from '../acts/operators-acts';
import { ProgressLines } from '../report/progress-lines';
import { AuditFailure } from '../report/report';
import { timedReport } from '../report/timed-report';
import { settingOf } from '../settings/setting-of';
import { priceSettings } from './price-settings';
import { verify } from './verify';
import { verificationReport } from './verify.report';

const MINUTE_MS = 60_000;

interface VerifyFlags {
  json?: boolean;
  progress?: 'people' | 'json';
  shard?: number;
  key?: TrustedKey[];
  checkpoint?: string[];
  statement?: string[];
  liabilities?: number;
  evidenceKeys?: CallerKeys;
  witness?: Witness[];
  ledger?: string;
  shards?: number;
  statementsWithin?: number;
  followedWithin?: number;
  swapPricesSince?: Date;
  logins?: string[][];
  acts?: string;
  actsHead?: string;
}

export function addVerifyCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('verify')
    .description('Checks every event and every projection; names the first bad position of each shard')
    .option('--shard <number>', 'only this shard', wholeNumber)
    .option(
      '--shards <count>',
      'how many shards the ledger has, else LEDGER_SHARDS: one that is gone is found',
      wholeNumber,
    )
    .option('--key <public key>', 'trust checkpoints by this key; may be repeated', collected(trustedKey))
    .option('--checkpoint <file>', 'a checkpoint that was kept elsewhere; may be repeated', collected(keptCheckpoint))
    .option(
      '--statement <file>',
      'a statement of liabilities that was kept elsewhere; may be repeated',
      collected(keptStatement),
    )
    .option('--liabilities <count>', 'how many of the newest statements are made anew from the log', wholeNumber, 1)
    .option(
      '--statements-within <minutes>',
      'a fault where a part of the log was signed longer ago, and no statement of liabilities speaks of it yet',
      wholeNumber,
    )
    .option(
      '--followed-within <minutes>',
      'a fault where searches or charts lack an event that is so much older than the end of the log',
      wholeNumber,
    )
    .option('--evidence-keys <keys>', 'the public keys of services, as in COMMAND_EVIDENCE_KEYS', evidenceKeys)
    .option('--witness <address>', `also ask this witness; may be repeated. ${WITNESS_HELP}`, collected(witness))
    .option(
      '--ledger <name>',
      'how the ledger is called at witnesses (CHECKPOINT_ORIGIN); else by --key with its name, or the only one that they know',
    )
    .option(
      '--swap-prices-since <time>',
      'judge prices of swaps from then on, by the settings that bound them now: SWAP_PRICE_BAND, SWAP_PRICE_BANDS, ' +
        'SWAP_PRICE_BAND_HOURS, SWAP_RATES, SWAP_BOOK_BAND, SWAP_LOSS_PER_HOUR, or their defaults',
      pointInTime,
    )
    .option(
      '--logins <names>',
      'the logins that the deployment has made or uses, by commas, else AUDIT_LOGINS; may be repeated: another one that may do ' +
        'what the ledger may is found',
      collected(loginNames),
    )
    .option('--acts <file>', ACTS_HELP)
    .option('--acts-head <number:hash>', ACTS_HEAD_HELP)
    .option('--json', JSON_HELP)
    .addOption(
      new Option('--progress <form>', 'on stderr: for people, or one JSON object a line, at most one a second')
        .choices(['people', 'json'])
        .default('people'),
    )
    .action(({ json, shard, key: keys, checkpoint: kept, statement: keptStatements, ...flags }: VerifyFlags) => {
      const { liabilities: statements, ledger, evidenceKeys = configuredEvidenceKeys(commandLine.env) } = flags;
      const witnesses = flags.witness ?? configuredWitnesses(commandLine.env);
      const since = flags.swapPricesSince;
      const prices = since && { settings: priceSettings(commandLine.env), since };
      const statementsWithinMs = flags.statementsWithin === undefined ? undefined : flags.statementsWithin * MINUTE_MS;
      const followedWithinMs = flags.followedWithin === undefined ? undefined : flags.followedWithin * MINUTE_MS;
      const acts = flags.acts === undefined ? undefined : readOperatorsActs(flags.acts, flags.actsHead);
      const logins = flags.logins?.flat() ?? configuredLogins(commandLine.env);
      const shardCount = flags.shards ?? configuredShards(commandLine.env);
      const options = {
        ...{ shard, shardCount, keys, kept, keptStatements, statements, statementsWithinMs, followedWithinMs },
        ...{ evidenceKeys, witnesses, ledger, prices, logins, acts },
      };
      return commandLine.print(json, (databases) =>
        timedReport(
          (onStart, onPhase) => verify(databases, { ...options, onStart, onPhase }),
          verificationReport,
          flags.progress === 'json' ? new ProgressLines(commandLine.tell) : undefined,
        ),
      );
    });
}

/** As the ledger is configured; undefined where the auditor is not told. */
function configuredShards(env: NodeJS.ProcessEnv): number | undefined {
  const text = settingOf(env, 'LEDGER_SHARDS');
  if (!text) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new AuditFailure('LEDGER_SHARDS takes a whole number.');
}

function evidenceKeys(text: string): CallerKeys {
  try {
    return readCallerKeys(text);
  } catch (error) {
    throw new InvalidArgumentError(`It takes ${(error as Error).message}.`);
  }
}

/** Undefined where none are configured. */
function configuredEvidenceKeys(env: NodeJS.ProcessEnv): CallerKeys | undefined {
  const text = settingOf(env, 'COMMAND_EVIDENCE_KEYS');
  return text ? evidenceKeys(text) : undefined;
}

function keptCheckpoint(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    const origin = readCheckpoint(text)?.origin;
    if (origin !== undefined && shardOf(origin) !== undefined) return text;
    if (origin !== undefined) throw new Error(`The file is a checkpoint of ${origin}, which is no shard of a ledger.`);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  throw new InvalidArgumentError('The file is no signed checkpoint.');
}

/** A file may be the statement alone, or a proof with one in it. */
function keptStatement(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    const document = text.startsWith('{') ? unwrapped(JSON.parse(text)) : undefined;
    const note = isObject(document) ? String(document['statement']) : text;
    if (readLiabilities(note)) return note;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  throw new InvalidArgumentError('The file is no signed statement of liabilities.');
}
