/**
 * Lists and retries facts of the ledger that a service could not handle. The commands read and mark rows in the
 * services' own databases (parked_facts); the running service retries a fact, within a second, with its present
 * configuration.
 */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import { table } from '@stablecoin/command-line/table';
import { urlVariable } from '@stablecoin/migrations/databases';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { command, CommandContext } from '../command-context';
import { EXIT } from '../exit-codes';
import { onLog } from '../operator-database';
import { ParkedFact, ParkedFacts, placeOf } from './parked-facts';

const DATABASE_OF = { customer: 'customer', 'swap-pricing': 'swap', payout: 'payout', chain: 'chain' } as const;
type FactService = keyof typeof DATABASE_OF;
const SERVICES = Object.keys(DATABASE_OF) as FactService[];
/** Without progress for this long, the service counts as away. */
const SILENCE_MAX_MS = 20_000;
const RECORDED_POSITIONS_MAX = 100;

interface ListOptions {
  json?: boolean;
}

interface RetryOptions extends ListOptions, ActingOptions {
  all?: boolean;
}

/** A fact as the command prints it: its shard and position, what it is about, and why it is parked. */
interface ListedFact {
  service: FactService;
  consumer: string;
  position: string;
  movement: string;
  concerns: string;
  held_behind: string | null;
  attempts: number;
  reason: string | null;
  parked_at: string;
}

const help = ({ typed }: CommandContext) => `
Facts of the ledger that a service tried in vain and parked, and the later ones that it holds back behind them. A retry is
made by the running service: the parked one first, then those behind it in their order, each once. One that fails again
stays parked, with what is behind it.

A retry goes into the log of operators' acts, in the customer service's database.

  ${typed('facts list [SERVICE] [--json]')}
  ${typed('facts retry SERVICE POSITION|--all [--json]')}

Environment: <NAME>_DATABASE_URL, for NAME in CUSTOMER, SWAP, PAYOUT, CHAIN, or the file that <NAME>_DATABASE_URL_FILE names; in a
checkout, without them, the stack that runs in DATA_DIR.
Exit codes: 0 done, 1 something stayed parked or it can't be done, 2 the service does not answer.`;

export function addFactCommands(root: Command, context: CommandContext): void {
  const facts = root
    .command('facts')
    .description('Facts of the ledger that a service could not handle.')
    .addHelpText('after', help(context))
    .allowExcessArguments()
    .action(() => {
      throw new OperatorError('Say what to do: list or retry. Try --help.');
    });

  command(facts, 'list', 'Lists what is parked, and why.')
    .addArgument(serviceArgument())
    .action(async (service: FactService | undefined, { json }: ListOptions) => {
      const listed: ListedFact[] = [];
      for (const each of service === undefined ? SERVICES : [service])
        listed.push(...(await withFacts(context, each, async (parked) => (await parked.list()).map(listedIn(each)))));
      context.print(listed, { json, table: (rows) => (rows.length === 0 ? 'Nothing is parked.' : factTable(rows)) });
    });

  acting(command(facts, 'retry', 'Has parked facts tried again by the service.'), { demands: false })
    .addArgument(serviceArgument())
    .argument('[position]', 'as list shows it, SHARD:POSITION; without the shard where only one has it')
    .option('--all', 'every parked fact of the service')
    .action((service: FactService | undefined, position: string | undefined, options: RetryOptions) =>
      retry(context, service, position, options),
    );
}

function serviceArgument(): Argument {
  return new Argument('[service]', SERVICES.join(', ')).argParser((name: string) => {
    if (name in DATABASE_OF) return name;
    throw new InvalidArgumentError(
      `There is no service "${name}" that takes facts: choose from ${SERVICES.join(', ')}.`,
    );
  });
}

async function retry(
  context: CommandContext,
  service: FactService | undefined,
  position: string | undefined,
  { all, json, ...who }: RetryOptions,
): Promise<void> {
  if (service === undefined || (position === undefined) === (all !== true))
    throw new OperatorError(`Which facts? ${context.typed('facts retry SERVICE POSITION')}, or SERVICE --all.`);
  const chosen = (parked: readonly ParkedFact[]) =>
    position === undefined
      ? parked.filter(({ behind }) => behind === null)
      : [oneAt(position, parked, service, context)];
  const by = actedBy(context, who);
  const record = (facts: readonly ParkedFact[]) => {
    const details = { service, facts: facts.length, positions: facts.slice(0, RECORDED_POSITIONS_MAX).map(placeOf) };
    return onLog(context.settings, (database) => recordActBefore(database, { action: 'facts retry', details }, by));
  };
  const silenceMaxMs = Number(context.env['FACTS_WAIT_MS'] || SILENCE_MAX_MS);
  const retried = await withFacts(context, service, (facts) => facts.retry(chosen, { silenceMaxMs, record }));
  if (retried === undefined) {
    context.tell(
      `The service ${service} does not answer: is it running? What you asked for is kept, and tried once it runs.`,
    );
    context.exitWith(EXIT.failure);
    return;
  }
  const report = { handled: retried.handled.map(placeOf), parked: retried.parked.map(listedIn(service)) };
  context.print(report, { json, table: reportText });
  if (report.parked.length > 0) context.exitWith(EXIT.refused);
}

function oneAt(
  position: string,
  parked: readonly ParkedFact[],
  service: FactService,
  { typed }: CommandContext,
): ParkedFact {
  const [, shard, at] = /^(?:(\d+):)?(\d+)$/.exec(position) ?? [];
  if (at === undefined) throw new OperatorError(`"${position}" is not a position: list shows them as SHARD:POSITION.`);
  const found = parked.filter((fact) => fact.position === at && (shard === undefined || String(fact.shard) === shard));
  const [one] = found;
  if (one === undefined)
    throw new OperatorError(`Nothing is parked in ${service} at ${position}: see ${typed('facts list')}.`);
  if (found.length > 1)
    throw new OperatorError(`Several shards have something at ${at}: choose from ${found.map(placeOf).join(', ')}.`);
  if (one.behind !== null)
    throw new OperatorError(
      `${placeOf(one)} is held back behind ${one.shard}:${one.behind}: retry that one, and it follows.`,
    );
  return one;
}

async function withFacts<Result>(
  { settings }: CommandContext,
  service: FactService,
  work: (facts: ParkedFacts) => Promise<Result>,
): Promise<Result> {
  const database = DATABASE_OF[service];
  const variable = urlVariable(database);
  const url = secretFrom(await settings(), variable);
  if (url === undefined)
    throw new OperatorError(
      `Where is the ${database} database? Set ${variable}, or ${variable}_FILE with the path of a file that holds it.`,
    );
  return ParkedFacts.of({ database, url }, work);
}

const listedIn =
  (service: FactService) =>
  (fact: ParkedFact): ListedFact => ({
    service,
    consumer: fact.consumer,
    position: placeOf(fact),
    movement: fact.movement,
    concerns: fact.concerns,
    held_behind: fact.behind === null ? null : `${fact.shard}:${fact.behind}`,
    attempts: fact.attempts,
    reason: fact.reason,
    parked_at: fact.parked_at.toISOString(),
  });

function reportText({ handled, parked }: { handled: string[]; parked: ListedFact[] }): string {
  return [
    `${handled.length} handled${handled.length > 0 ? `: ${handled.join(', ')}` : ''}`,
    ...(parked.length > 0 ? [`${parked.length} parked:`, factTable(parked)] : []),
  ].join('\n');
}

function factTable(facts: ListedFact[]): string {
  const rows = facts.map(({ service, position, movement, concerns, parked_at, attempts, held_behind, reason }) => [
    service,
    position,
    movement,
    concerns,
    parked_at,
    String(attempts),
    held_behind === null ? reason : `held back behind ${held_behind}`,
  ]);
  return table(['SERVICE', 'POSITION', 'MOVEMENT', 'CONCERNS', 'PARKED', 'TRIED', 'WHY'], rows);
}
