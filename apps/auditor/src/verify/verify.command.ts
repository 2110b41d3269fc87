import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { CommandLine } from '../command-line/command-line';
import { collected, JSON_HELP, wholeNumber } from '../command-line/options';
import { timedReport } from '../report/timed-report';
import { verify } from './verify';
import { verificationReport } from './verify.report';

interface VerifyFlags {
  json?: boolean;
  shard?: number;
  key?: TrustedKey[];
  checkpoint?: string[];
}

export function addVerifyCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('verify')
    .description('Checks every event and every projection; names the first bad position of each shard')
    .option('--shard <number>', 'only this shard', wholeNumber)
    .option('--key <public key>', 'trust checkpoints by this key; may be repeated', collected(trustedKey))
    .option('--checkpoint <file>', 'a checkpoint that was kept elsewhere; may be repeated', collected(keptCheckpoint))
    .option('--json', JSON_HELP)
    .action(({ json, shard, key: keys, checkpoint: kept }: VerifyFlags) =>
      commandLine.print(json, (database) =>
        timedReport((onStart) => verify(database, { shard, keys, kept, onStart }), verificationReport),
      ),
    );
}

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
