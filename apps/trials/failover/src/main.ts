/**
 * npm run test:failover: the services on three brokers and two Postgres servers must go on when one of these fails. It
 * starts a NATS cluster of three with deploy/nats and a user per service, Postgres with a synchronous standby behind
 * one address, the five services, and merchants' load. Then it kills each server in turn and compares the callers'
 * answers with the log.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags, runCommand, say, wholeNumber } from '@stablecoin/command-line/terminal';
import { report } from './report';
import { runTrial } from './trial';

const HELP = `
npm run test:failover [-- --rounds N] [--keep] [--json]

Kills the servers of a NATS cluster of three one after the other, the stream's leader first, and then two at once; kills a
Postgres whose standby takes its place; takes the standby away. Merchants work meanwhile: whatever is not answered must be
answered when it is sent again under the same key, nothing that was acknowledged may be missing, and the log must verify.
Needs a nats-server on the PATH; older than 2.10 it is not worth trying.

  --rounds   how often each is done; 1 unless given
  --keep     leave the folder with all logs and data, and say where it is
  --json     one JSON line on stdout: {"nats_server","rounds":[…],"requests","sent_again","slowest_ms","acknowledged"}
  --help
`;
const FLAGS = {
  rounds: { type: 'string', default: '1' },
  keep: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;
const ROUNDS_MAX = 9_999;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { keep = false, json = false } = parsed.values;
  const rounds = wholeNumber('rounds', parsed.values.rounds, { least: 1, most: ROUNDS_MAX });
  const folder = mkdtempSync(join(tmpdir(), 'failover-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  try {
    report(await runTrial(folder, rounds), json);
    return 0;
  } finally {
    if (keep) say(`  Kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

void runCommand(main).then(() => process.exit());
