/**
 * stablecoin listen: events to a port of this machine, as webhooks would bring them, without a URL that the service can reach. The
 * feed of events is polled and each event posted, one after the other. A webhook of the service isn't made, so nothing is left
 * behind, and other programs' webhooks get their deliveries as before.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { Event, StablecoinApiError, StablecoinCallError } from 'stablecoin-sdk';
import { INPUT_TYPES } from 'stablecoin-sdk/operations';
import { UsageError } from '../failures';
import { printable } from '../output/printable';
import type { Terminal } from '../output/terminal';
import { readConfiguration, writeConfiguration } from '../profiles/configuration-file';
import { clientOf, connectionOf } from '../profiles/connection';
import { untilInterrupted } from '../until-interrupted';
import { EventFeed } from './event-feed';
import { forward, Forwarded, isTaken } from './forward';

const POLL_MS = 1_000;
const PAGE_SIZE = 20;

interface ListenOptions {
  forwardTo?: string;
  events?: string;
  printJson?: true;
  printSecret?: true;
  profile?: string;
}

export function addListenCommand(program: Command, terminal: Terminal): void {
  program
    .command('listen')
    .summary('Forward events to a local port, as webhooks')
    .description(
      'Forwards every event from now on to a URL of yours, signed as Standard Webhooks says, until Ctrl-C. The service needs not reach ' +
        'this machine. Events come in the order of the list, at least once; one that is not answered with 2xx is posted three ' +
        'times. The signing secret is printed, and stays the same for this user.',
    )
    .option('--forward-to <url>', 'where to, such as http://127.0.0.1:4000/webhooks; without it events are only shown')
    .option('--events <types>', `only these, parted by commas: ${eventTypes().join(', ')}`)
    .option('--print-json', 'each event as a line of JSON on stdout, and nothing else there')
    .option('--print-secret', 'print the signing secret and end')
    .option('--profile <name>', 'another profile than the current one')
    .addHelpText(
      'after',
      '\nExample:\n  stablecoin listen --forward-to http://127.0.0.1:4000/webhooks --events payout.failed',
    )
    .action((options: ListenOptions) => listen(terminal, options));
}

async function listen(terminal: Terminal, options: ListenOptions): Promise<void> {
  const { forwardTo, printSecret, profile } = options;
  if (forwardTo !== undefined) assertUrl(forwardTo);
  const wanted = wantedTypes(options.events);
  const secret = signingSecret(terminal.env);
  if (printSecret) {
    terminal.out(`${secret}\n`);
    return;
  }
  const client = clientOf(connectionOf(terminal.env, profile));
  await untilInterrupted(async (signal) => {
    const feed = new EventFeed((page) => client.events.list({ page, limit: PAGE_SIZE }, { signal }));
    await feed.start();
    say(terminal, options, `Signing secret: ${secret}`);
    say(terminal, options, forwardTo === undefined ? 'Ready.' : `Ready: events go to ${forwardTo}`);
    for await (const event of eventsOf(feed, terminal, signal)) {
      if (wanted?.has(event.type) ?? true) await take(terminal, options, { event, secret, signal });
    }
  });
  terminal.note('Stopped.');
}

/** One after the other, until the signal. */
async function* eventsOf(feed: EventFeed, terminal: Terminal, signal: AbortSignal): AsyncGenerator<Event> {
  while (!signal.aborted) {
    for (const event of await newEvents(feed, terminal, signal)) {
      yield event;
      if (isOver(signal)) return;
    }
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

const isOver = ({ aborted }: AbortSignal): boolean => aborted;

/** None while the service is away: the next look has them. A refusal, such as of the key, ends it. */
async function newEvents(feed: EventFeed, { note }: Terminal, signal: AbortSignal): Promise<Event[]> {
  try {
    return await feed.next();
  } catch (error) {
    if (signal.aborted) return [];
    const isFinal = error instanceof StablecoinApiError && error.status < 500 && error.status !== 429;
    if (isFinal || !(error instanceof StablecoinCallError)) throw error;
    note(`${printable(error.message)} It is asked again; no event is lost.`);
    return [];
  }
}

interface Taken {
  event: Event;
  secret: string;
  signal: AbortSignal;
}

async function take(terminal: Terminal, options: ListenOptions, { event, secret, signal }: Taken): Promise<void> {
  const { forwardTo, printJson } = options;
  if (printJson) terminal.out(`${JSON.stringify(event)}\n`);
  const line = `${event.created_at}  ${event.type}  ${event.id}`;
  if (forwardTo === undefined) say(terminal, options, line);
  else {
    await forward(event, { url: forwardTo, secret, signal }, (forwarded) =>
      say(terminal, options, `${line}  ${outcomeText(forwarded)}`),
    );
  }
}

function outcomeText(forwarded: Forwarded): string {
  const { status, reason = '', durationMs } = forwarded;
  return `${isTaken(forwarded) ? '->' : 'not taken:'} ${status ?? reason} (${durationMs} ms)`;
}

/** For people: on stdout, unless that is for programs. */
function say({ out, note }: Terminal, { printJson }: ListenOptions, line: string): void {
  if (printJson) note(printable(line));
  else out(`${printable(line)}\n`);
}

function assertUrl(url: string): void {
  if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return;
  throw new UsageError(`--forward-to takes a URL, such as http://127.0.0.1:4000/webhooks, not "${url}".`);
}

function wantedTypes(events: string | undefined): ReadonlySet<string> | undefined {
  if (events === undefined) return undefined;
  const types = events.split(',').map((type) => type.trim());
  const unknown = types.filter((type) => !eventTypes().includes(type));
  if (unknown.length === 0) return new Set(types);
  throw new UsageError(`There is no event ${unknown.join(', ')}. There are: ${eventTypes().join(', ')}`);
}

/** As the list of events can be filtered by. */
export function eventTypes(): readonly string[] {
  const params = INPUT_TYPES['EventListParams'];
  const type = params?.kind === 'object' ? params.fields.find(({ name }) => name === 'type')?.type : undefined;
  return type?.kind === 'literals' ? type.values : [];
}

/** Of this user, made at the first time. */
function signingSecret(env: NodeJS.ProcessEnv): string {
  const configuration = readConfiguration(env);
  if (configuration.listen_secret !== undefined) return configuration.listen_secret;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  writeConfiguration(env, { ...configuration, listen_secret: secret });
  return secret;
}
