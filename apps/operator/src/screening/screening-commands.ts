import { createReadStream } from 'node:fs';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { table } from '@stablecoin/command-line/table';
import { CaseView, OpenedCase } from '@stablecoin/customer-store/screening/screening-desk';
import { CaseDecision } from '@stablecoin/customer-store/screening/screening-hits';
import { ListView } from '@stablecoin/customer-store/screening/screening-lists';
import { LIST_FORMATS, ListFormat } from '@stablecoin/screening/read-list';
import { Command, InvalidArgumentError, Option } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { uuid, wholeNumber } from '../arguments';
import { command, CommandContext } from '../command-context';
import { asOperator } from '../operator-database';

interface LoadOptions extends ActingOptions {
  name: string;
  format?: ListFormat;
  maxAgeDays: number;
  dated?: Date;
  json?: boolean;
}

interface DecideOptions extends ActingOptions {
  release?: boolean;
  reject?: boolean;
  json?: boolean;
}

const CASES_MAX = 1_000;
const HELP = `
A movement is held against every list: a payout's address and recipient, a deposit's sender. A hit holds it until a case is
decided. So are the names of customers and of businesses' owners: a hit puts the customer's KYC back to review. A list that
is older than its limit stops all movements of live merchants until the next one is loaded.

Formats, by the file's name or --format:
  addresses            .txt: one address per line
  opensanctions-csv    .csv: targets.simple.csv of OpenSanctions
  opensanctions-json   .json: entities.ftm.json of OpenSanctions`;

/** Lists that movements are screened against, and the cases of hits. */
export function addScreeningCommands(root: Command, context: CommandContext): void {
  const { settings, print } = context;
  const screening = root
    .command('screening')
    .description('Lists of addresses and names, and what is decided on hits.')
    .addHelpText('after', HELP);

  const loaded = command(screening, 'load', 'Loads a list, in the place of the one that has its name; - is stdin.')
    .argument('<file>', 'the list')
    .requiredOption('--name <name>', 'such as ofac or our-own: what is loaded under it later takes its place', listName)
    .addOption(new Option('--format <format>', 'what the file is').choices(LIST_FORMATS))
    .option('--max-age-days <days>', 'when it is too old to screen by', maxAgeDays, 7)
    .option('--dated <date>', 'when it was published, as YYYY-MM-DD: its age counts from then, else from now', dateOf);
  acting(loaded, { demands: false }).action(
    async (file: string, { name, format, maxAgeDays: days, dated, json, ...who }: LoadOptions) => {
      const by = actedBy(context, who);
      const supplied = { name, format: format ?? formatOf(file), maxAgeDays: days, dated: dated ?? null };
      const list = await asOperator(settings, ({ screeningLists }) =>
        screeningLists.load({ ...supplied, chunks: chunksOf(file) }, by),
      );
      print([list], { json, table: listsText });
    },
  );

  command(screening, 'lists', 'Shows the lists that movements are held against, and how old they are.').action(
    async ({ json }: { json?: boolean }) =>
      print(await asOperator(settings, ({ screeningLists }) => screeningLists.list()), { json, table: listsText }),
  );

  const retired = command(screening, 'retire', 'Screens by a list no longer.').requiredOption(
    '--name <name>',
    'as it was loaded',
    listName,
  );
  acting(retired, { demands: true }).action(async ({ name, json, ...who }: LoadOptions) => {
    const by = actedBy(context, who);
    print([await asOperator(settings, ({ screeningLists }) => screeningLists.retire(name, by))], {
      json,
      table: ([list]) => `${list?.name}: nothing is screened by it any more.`,
    });
  });

  command(screening, 'cases', 'Lists cases, newest first: those that are open, or with --all all.')
    .option('--all', 'those that are decided, too')
    .option('--limit <number>', `how many, up to ${CASES_MAX}`, wholeNumber(CASES_MAX), 100)
    .action(async ({ all, limit, json }: { all?: boolean; limit: number; json?: boolean }) => {
      const filter = { state: all ? undefined : ('open' as const), limit };
      print(await asOperator(settings, ({ screeningDesk }) => screeningDesk.cases(filter)), { json, table: casesText });
    });

  acting(command(screening, 'show', 'Shows a case with who was hit and by what: goes on the record.'), {
    demands: true,
  })
    .argument('<case>', 'as the list shows it', uuid)
    .action(async (id: string, { json, ...who }: ActingOptions & { json?: boolean }) => {
      const by = actedBy(context, who);
      print(await asOperator(settings, ({ screeningDesk }) => screeningDesk.showCase(id, by)), {
        json,
        table: caseText,
      });
    });

  acting(command(screening, 'decide', 'Decides a case, once: one of --release, --reject.'), { demands: true })
    .argument('<case>', 'as the list shows it', uuid)
    .addOption(new Option('--release', 'it is somebody else, or may be paid: what it holds goes on its way'))
    .addOption(
      new Option(
        '--reject',
        'a payout fails and its money is given back; a deposit is not credited; a customer is rejected',
      ),
    )
    .action(async (id: string, { release, reject, json, ...who }: DecideOptions, self: Command) => {
      if ((release === true) === (reject === true))
        self.error('error: say what is decided: one of --release, --reject');
      const decision: CaseDecision = release === true ? 'released' : 'rejected';
      const by = actedBy(context, who);
      const decided = await asOperator(settings, ({ screeningDesk }) => screeningDesk.decide(id, decision, by));
      print(decided, { json, table: decidedText });
    });
}

function listName(value: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(value)) return value;
  throw new InvalidArgumentError('It must be 1 to 63 lower-case letters, digits and hyphens.');
}

function maxAgeDays(value: string): number {
  const days = wholeNumber(3_650)(value);
  if (days > 0) return days;
  throw new InvalidArgumentError('It must be one day at least.');
}

function dateOf(value: string): Date {
  const date = new Date(`${value}T00:00:00.000Z`);
  const isReal =
    /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  if (isReal && date <= new Date()) return date;
  throw new InvalidArgumentError('It must be a day that has begun, as YYYY-MM-DD.');
}

function formatOf(file: string): ListFormat {
  if (file.endsWith('.txt')) return 'addresses';
  if (file.endsWith('.csv')) return 'opensanctions-csv';
  if (file.endsWith('.json')) return 'opensanctions-json';
  throw new OperatorError(`${file} does not tell its format: say --format, one of ${LIST_FORMATS.join(', ')}.`);
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) yield chunk as Uint8Array;
  } catch (error) {
    throw new OperatorError(`The list can't be read: ${(error as Error).message}.`);
  }
}

function listsText(lists: readonly ListView[]): string {
  if (lists.length === 0) return 'There is no list: live merchants pay nothing out, and are credited nothing.';
  const rows = lists.map((list) => [
    ...[list.name, list.format, String(list.addresses), String(list.names), list.dated, `${list.max_age_days} days`],
    ...[list.is_stale ? 'TOO OLD' : 'current', String(list.rescan_left), list.sha256],
  ]);
  return table(['NAME', 'FORMAT', 'ADDRESSES', 'NAMES', 'DATED', 'LIMIT', 'STANDS', 'PAST LEFT', 'SHA-256'], rows);
}

function casesText(cases: readonly CaseView[]): string {
  if (cases.length === 0) return 'Nothing waits for a decision.';
  const rows = cases.map((each) => [
    ...[each.case, each.state, each.opened_at, moneyText(each)],
    ...[each.movement, each.transaction, each.merchant_id],
    each.hits?.map(({ list, entry }) => `${list}: ${entry}`).join('; ') ?? 'erased',
  ]);
  return table(['CASE', 'STANDS', 'OPENED', 'MONEY', 'MOVEMENT', 'TRANSACTION', 'MERCHANT', 'HITS'], rows);
}

function caseText({ party, hits, ...each }: OpenedCase): string {
  const who = [party?.name, ...(party?.names ?? []), party?.address].filter((text) => text !== undefined).join(', ');
  return [
    `${each.movement} ${each.transaction} of merchant ${each.merchant_id}: ${each.state}`,
    `With: ${party ? who : 'erased'}`,
    ...(hits ?? []).map(({ list, entry, text }) => `Hit: ${list}, ${entry}: ${text}`),
  ].join('\n');
}

/** What a case holds up. */
function moneyText({ movement, opened_by }: CaseView): string {
  if (movement === 'customer') return 'none: KYC';
  return opened_by === 'list' ? 'moved before' : 'held';
}

const decidedText = (decided: CaseView): string => `${decided.case}: ${decided.state}.`;
