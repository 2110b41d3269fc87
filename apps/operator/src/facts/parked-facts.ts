// The command that lists facts which a service could not handle, and has them tried again. It reads and marks rows in the
// services' own databases (parked_facts); what tries a fact again is the service, within a second, with the configuration
// that it runs with. tools/facts.mjs is the command of a checkout, tools/facts-job.mjs that of a deployment.

import { setTimeout as sleep } from 'node:timers/promises';
import { parseFlags, Refusal } from '../stack/terminal.mjs';

const DATABASE_OF = { customer: 'customer', 'swap-pricing': 'swap', payout: 'payout' };
const SERVICES = Object.keys(DATABASE_OF);
const help = ({ called, environment }) => `
${called} list [SERVICE] [--json]
${called} retry SERVICE POSITION|--all [--json]

Facts of the ledger that a service tried in vain and parked, and the later ones that it holds back behind them. A retry is
made by the running service: the parked one first, then those behind it in their order, each once. One that fails again
stays parked, with what is behind it.

  SERVICE    ${SERVICES.join(', ')}
  POSITION   as list shows it, SHARD:POSITION; without the shard where only one has it
  --all      every parked fact of the service
  --json     one line on stdout
  --help

Environment: ${environment}
Exit codes: 0 done, 1 something stayed parked or it can't be done, 2 the service does not answer.
`;
const FLAGS = { all: { type: 'boolean' }, json: { type: 'boolean' } };
const CONNECT_TIMEOUT_MS = 5_000;
const POLL_MS = 200;
/** How long nothing may happen before the service counts as away. */
const SILENCE_MAX_MS = Number(process.env.FACTS_WAIT_MS || 20_000);

/**
 * Resolves to the exit code. `place` says how it is called, what its environment is, how a database is found
 * (`urlOf(database)`), and what has to be done first (`prepare()`).
 */
export async function factsCommand(argv, place) {
  const parsed = await parseFlags(argv, FLAGS, help(place));
  if (parsed === undefined) return 0;
  const [verb, service, position, ...rest] = parsed.positionals;
  if (rest.length > 0 || !['list', 'retry'].includes(verb))
    throw new Refusal('Say what to do: list or retry. Try --help.');
  if (service !== undefined && !SERVICES.includes(service))
    throw new Refusal(`There is no service "${service}" that takes facts: choose from ${SERVICES.join(', ')}.`);
  await place.prepare?.();
  if (verb === 'list') return list(service === undefined ? SERVICES : [service], parsed.values, place);
  if (service === undefined || (position === undefined) === (parsed.values.all !== true))
    throw new Refusal(`Which facts? ${place.called} retry SERVICE POSITION, or SERVICE --all.`);
  return withDatabase(service, place, (client) => retry(client, { service, position, place }, parsed.values));
}

async function list(services, { json }, place) {
  const facts = [];
  for (const service of services)
    facts.push(...(await withDatabase(service, place, async (client) => (await parked(client)).map(told(service)))));
  if (json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else process.stdout.write(facts.length === 0 ? 'Nothing is parked.\n' : `${table(facts)}\n`);
  return 0;
}

// -- retry --------------------------------------------------------------------------------------------------------

async function retry(client, { service, position, place }, { all, json }) {
  const before = await parked(client);
  const chosen = all ? before.filter(({ behind }) => behind === null) : [oneOf(before, { service, position, place })];
  for (const { consumer, shard, position: at } of chosen) {
    await client.query(
      'UPDATE parked_facts SET retry_requested_at = clock_timestamp() WHERE consumer = $1 AND shard = $2 AND position = $3',
      [consumer, shard, at],
    );
  }
  const queues = new Set(chosen.map(queueOf));
  const after = await untilTried(client, queues);
  if (after === undefined) {
    process.stderr.write(
      `The service ${service} does not answer: is it running? What you asked for is kept, and tried once it runs.\n`,
    );
    return 2;
  }
  const left = after.filter((row) => queues.has(queueOf(row)));
  const handled = before.filter((row) => queues.has(queueOf(row)) && !left.some((other) => same(row, other)));
  report({ handled: handled.map(placeOf), parked: left.map(told(service)) }, json);
  return left.length === 0 ? 0 : 1;
}

function oneOf(rows, { service, position, place }) {
  const [, shard, at] = /^(?:(\d+):)?(\d+)$/.exec(position) ?? [];
  if (at === undefined) throw new Refusal(`"${position}" is not a position: list shows them as SHARD:POSITION.`);
  const found = rows.filter((row) => row.position === at && (shard === undefined || String(row.shard) === shard));
  if (found.length === 0)
    throw new Refusal(`Nothing is parked in ${service} at ${position}: see ${place.called} list.`);
  if (found.length > 1)
    throw new Refusal(`Several shards have something at ${at}: choose from ${found.map(placeOf).join(', ')}.`);
  if (found[0].behind !== null)
    throw new Refusal(
      `${placeOf(found[0])} is held back behind ${found[0].shard}:${found[0].behind}: retry that one, and it follows.`,
    );
  return found[0];
}

/** What is still parked once nothing is asked for any more; undefined when nothing happens for too long. */
async function untilTried(client, queues) {
  let deadline = Date.now() + SILENCE_MAX_MS;
  let left = Infinity;
  while (Date.now() < deadline) {
    const rows = await parked(client);
    if (!rows.some((row) => row.requested && queues.has(queueOf(row)))) return rows;
    if (rows.length < left) deadline = Date.now() + SILENCE_MAX_MS;
    left = rows.length;
    await sleep(POLL_MS);
  }
  return undefined;
}

function report({ handled, parked: left }, json) {
  if (json) return void process.stdout.write(`${JSON.stringify({ handled, parked: left })}\n`);
  process.stdout.write(`${handled.length} handled${handled.length > 0 ? `: ${handled.join(', ')}` : ''}\n`);
  if (left.length > 0) process.stdout.write(`${left.length} parked:\n${table(left)}\n`);
}

// -- rows ---------------------------------------------------------------------------------------------------------

/** Every row, in order; `behind` names the parked one that holds it back. */
async function parked(client) {
  const { rows } = await client.query(`
    SELECT consumer, shard, position, movement, concerns, reason, attempts, parked_at,
      retry_requested_at IS NOT NULL AS requested,
      nullif(min(position) OVER (PARTITION BY consumer, shard, concerns), position) AS behind
    FROM parked_facts ORDER BY consumer, shard, position`);
  return rows;
}

const placeOf = ({ shard, position }) => `${shard}:${position}`;
const queueOf = ({ consumer, shard, concerns }) => JSON.stringify([consumer, shard, concerns]);
const same = (one, other) => queueOf(one) === queueOf(other) && one.position === other.position;

const told = (service) => (row) => ({
  service,
  consumer: row.consumer,
  position: placeOf(row),
  movement: row.movement,
  concerns: row.concerns,
  held_behind: row.behind === null ? null : `${row.shard}:${row.behind}`,
  attempts: row.attempts,
  reason: row.reason,
  parked_at: row.parked_at.toISOString(),
});

function table(facts) {
  const header = ['SERVICE', 'POSITION', 'MOVEMENT', 'CONCERNS', 'PARKED', 'TRIED', 'WHY'];
  const lines = facts.map((fact) => [
    fact.service,
    fact.position,
    fact.movement,
    fact.concerns,
    fact.parked_at,
    String(fact.attempts),
    fact.held_behind === null ? fact.reason : `held back behind ${fact.held_behind}`,
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => line[column].length)));
  const padded = (line) => line.map((cell, column) => cell.padEnd(widths[column])).join('  ');
  return [header, ...lines].map((line) => padded(line).trimEnd()).join('\n');
}

async function withDatabase(service, { urlOf }, work) {
  const name = DATABASE_OF[service];
  const url = urlOf(name);
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new Refusal(`The ${name} database does not answer (${error.code ?? error.message}): is the stack running?`);
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
