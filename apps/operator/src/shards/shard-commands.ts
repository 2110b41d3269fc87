import { OperatorError } from '@stablecoin/command-line/operator-error';
import { step } from '@stablecoin/command-line/terminal';
import { table } from '@stablecoin/command-line/table';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { OpenDatabase } from '@stablecoin/ledger-log/move/move';
import { MovedShard, moveShard } from '@stablecoin/ledger-log/move/move-shard';
import { readShardRows, ShardRow } from '@stablecoin/ledger-store/placement/shard-rows';
import { HOME_DATABASE } from '@stablecoin/service-host/repeated-settings';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { Command } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { wholeNumber } from '../arguments';
import { command, CommandContext } from '../command-context';
import { onLog } from '../operator-database';
import { LedgerDatabasesConfiguration } from '../operator.configuration';
import { refuseUnaware } from './refuse-unaware';

const SHARD_MAX = 1_023;
const CONNECTIONS = 3;
/** An older copy is deleted in one statement a table. */
const STATEMENT_TIMEOUT_MS = 6 * 3_600_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
const HELP = `
A shard lies on one of the ledger's databases: home (LEDGER_MIGRATION_DATABASE_URL), or one that LEDGER_MIGRATION_DATABASES names, as
NAME=URL,NAME=URL, each with the login of the tables' owner. Shards are moved while the ledger works. New ones begin at home: raise
LEDGER_SHARDS of wallet-ledger, move the new shards, and only then raise it for customer and operator, which give new merchants to them.

With --json, of a move: {"shard","database","moved","events","reserved_ms"}; "moved" is false where it was there before.`;

/** A shard as the command prints it. */
interface ListedShard {
  shard: number;
  /** Null where none of the named databases has it. */
  database: string | null;
  /** Further ones that say so: somebody has to decide. */
  also: string[];
  events: number;
  held: boolean;
}

/** A move as the command prints it. */
interface PrintedMove extends MovedShard {
  shard: number;
  database: string;
}

/** Where the shards of the ledger are. */
export function addShardCommands(root: Command, context: CommandContext): void {
  const shards = root.command('shards').description("Which database has which of the ledger's shards.");
  shards.addHelpText('after', HELP);

  command(shards, 'list', 'Lists the shards, and the database that each is on.').action(
    async ({ json }: { json?: boolean }) => {
      const listed = await onLedger(context, async (databases) => listedShards(await rowsOf(databases)));
      context.print(listed, { json, table: shardsText });
    },
  );

  acting(
    command(shards, 'move', 'Moves a shard to another database. Interrupted, it can be repeated, or undone.')
      .argument('<shard>', 'its number', wholeNumber(SHARD_MAX))
      .requiredOption('--to <database>', `its name: ${HOME_DATABASE}, or one in LEDGER_MIGRATION_DATABASES`),
    { demands: false },
  ).action(async (shard: number, { to, json, ...who }: ActingOptions & { to: string; json?: boolean }) => {
    const by = actedBy(context, who);
    const placed = await onLedger(context, async (databases) => {
      if (!databases.some(({ name }) => name === to))
        throw new OperatorError(
          `There is no database "${to}": there are ${databases.map(({ name }) => name).join(', ')}.`,
        );
      await refuseUnaware(databases, to);
      await onLog(context.settings, (log) =>
        recordActBefore(log, { action: 'shards move', details: { shard, database: to } }, by),
      );
      return step(`Shard ${shard} to ${to}`, (tell) =>
        moveShard(databases, {
          ...{ shard, to },
          merchants: () => onLog(context.settings, (customers) => merchantsOf(customers, shard)),
          onProgress: (phase, done = 0, total = 0) => tell(total > 0 ? `${phase}, ${percent(done, total)}` : phase),
        }),
      );
    });
    const result: PrintedMove = { shard, database: to, ...placed };
    context.print(result, { json, table: movedText });
  });
}

const percent = (done: number, total: number) => `${Math.floor((100 * done) / total)} %`;

/** As the customer service has assigned them. */
async function merchantsOf(customers: CustomerDatabase, shard: number): Promise<string[]> {
  const found = await customers.sql.$queryRaw<{ id: string }[]>`SELECT id::text FROM merchants WHERE shard = ${shard}`;
  return found.map(({ id }) => id);
}

const movedText = ({ shard, database, moved, events, reserved_ms }: PrintedMove): string =>
  moved
    ? `Shard ${shard} is on ${database}, with ${events} events. No instance held it for ${reserved_ms} ms.`
    : `Shard ${shard} was already on ${database}.`;

async function onLedger<Result>(
  { settings }: CommandContext,
  work: (databases: readonly OpenDatabase[]) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, furtherDatabases } = loadConfiguration(LedgerDatabasesConfiguration, await settings());
  const open = [{ name: HOME_DATABASE, url: databaseUrl }, ...furtherDatabases].map(({ name, url }) => ({
    name,
    database: new LedgerDatabase({
      ...{ url, applicationName: 'operator', poolSize: CONNECTIONS, endsWithItsProcess: true },
      ...{ statementTimeoutMs: STATEMENT_TIMEOUT_MS, idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS },
    }),
  }));
  try {
    return await work(open.map(({ name, database }) => ({ name, sql: database.sql })));
  } finally {
    await Promise.all(open.map(({ database }) => database.$disconnect()));
  }
}

const rowsOf = (databases: readonly OpenDatabase[]) =>
  Promise.all(databases.map(async ({ name, sql }) => ({ name, rows: await readShardRows(sql) })));

export function listedShards(databases: readonly { name: string; rows: readonly ShardRow[] }[]): ListedShard[] {
  const numbers = new Set(databases.flatMap(({ rows }) => rows.map(({ shard }) => shard)));
  return [...numbers]
    .sort((one, other) => one - other)
    .map((shard) => {
      const having = databases.flatMap(({ name, rows }) => {
        const row = rows.find((one) => one.shard === shard && one.moved_to === null);
        return row ? [{ name, row }] : [];
      });
      const [first, ...others] = having.sort((one, other) => Number(other.row.epoch - one.row.epoch));
      return {
        shard,
        database: first?.name ?? null,
        also: others.map(({ name }) => name),
        events: first?.row.head_position ?? 0,
        held: first?.row.held ?? false,
      };
    });
}

const shardsText = (shards: readonly ListedShard[]): string =>
  table(
    ['SHARD', 'DATABASE', 'EVENTS', 'HELD'],
    shards.map(({ shard, database, also, events, held }) => [
      String(shard),
      also.length > 0 ? `${database}, but also ${also.join(', ')}` : (database ?? 'none that is named here'),
      String(events),
      held ? 'yes' : 'no',
    ]),
  );
