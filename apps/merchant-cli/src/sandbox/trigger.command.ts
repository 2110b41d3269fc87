import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import type { Event, Stablecoin } from 'stablecoin-sdk';
import { NotSeenError, UsageError } from '../failures';
import { fieldLines, table } from '../output/table';
import { outJson, Terminal } from '../output/terminal';
import { clientOf, connectionOf } from '../profiles/connection';
import { requestLogger } from '../request-log/request-log';
import { TRIGGERS } from './triggers';

type EventType = keyof typeof TRIGGERS;

const EVENT_TIMEOUT_MS = 30_000;
const POLL_MS = 250;
const PAGE_SIZE = 20;

export function addTriggerCommand(program: Command, terminal: Terminal): void {
  program
    .command('trigger')
    .argument('[event]', 'its type, such as payout.failed')
    .summary('Bring an event about in the sandbox')
    .description(
      'Makes what an event needs in the sandbox, a person, a wallet, a deposit, lets it happen, and waits for it. Webhooks and ' +
        'stablecoin listen get it like any other. With a test key only.',
    )
    .option('--list', 'show the types of events, and what is done for each')
    .option('--profile <name>', 'another profile than the current one')
    .option('--json', 'the event as one JSON object')
    .addHelpText('after', '\nExample:\n  stablecoin trigger payout.failed')
    .action((type: string | undefined, options: TriggerOptions) => trigger(terminal, type, options));
}

interface TriggerOptions {
  list?: true;
  profile?: string;
  json?: true;
}

async function trigger(terminal: Terminal, type: string | undefined, options: TriggerOptions): Promise<void> {
  if (options.list) {
    listTriggers(terminal, options.json === true);
    return;
  }
  if (type === undefined || !isEventType(type)) {
    const problem = type === undefined ? 'Which event?' : `There is no event ${type}.`;
    throw new UsageError(`${problem} There are: ${Object.keys(TRIGGERS).join(', ')}`);
  }
  const connection = connectionOf(terminal.env, options.profile);
  if (connection.apiKey.startsWith('sk_live_'))
    throw new UsageError('This is a live key: events are brought about with a test key.');
  const client = clientOf(connection, requestLogger(terminal.env, connection));
  const before = await idsOf(client, type);
  const subject = await TRIGGERS[type].run(client);
  const event = await eventAbout(client, type, { subject, before });
  if (event === undefined) {
    throw new NotSeenError(
      `${type} was brought about, but did not happen within ${EVENT_TIMEOUT_MS / 1_000} s: stablecoin events list --type ${type}`,
    );
  }
  if (options.json) outJson(terminal, event);
  else terminal.out(`${fieldLines(event)}\n`);
}

function listTriggers(terminal: Terminal, json: boolean): void {
  const rows = Object.entries(TRIGGERS).map(([event, { what }]) => ({ event, what }));
  if (json) outJson(terminal, rows);
  else terminal.out(`${table(rows, ['event', 'what'])}\n`);
}

const isEventType = (type: string): type is EventType => Object.hasOwn(TRIGGERS, type);

async function idsOf(client: Stablecoin, type: EventType): Promise<ReadonlySet<string>> {
  const { data } = await client.events.list({ type, limit: PAGE_SIZE });
  return new Set(data.map(({ id }) => id));
}

/** A new event whose data names the subject. */
async function eventAbout(
  client: Stablecoin,
  type: EventType,
  { subject, before }: { subject: string; before: ReadonlySet<string> },
): Promise<Event | undefined> {
  const endsAtMs = performance.now() + EVENT_TIMEOUT_MS;
  while (performance.now() < endsAtMs) {
    const { data } = await client.events.list({ type, limit: PAGE_SIZE });
    const found = data.find((event) => !before.has(event.id) && JSON.stringify(event.data).includes(`"${subject}"`));
    if (found !== undefined) return found;
    await delay(POLL_MS);
  }
  return undefined;
}
