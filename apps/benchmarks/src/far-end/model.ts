/**
 * How full each part of a ledger of many databases is under a load, by figures that were measured of one. Only sums and products: a
 * part's need by the assumed load, against what one of it gives. What is over 1 would have to be done something about first.
 */
import type { Figures } from './inputs';
import { cacheLoads, databaseParts, heldByInstances, shardParts, zipfParts } from './zipf';

export interface Part {
  part: string;
  need: number;
  gives: number;
  unit: string;
  /** need : gives. */
  full: number;
  /** How the need comes about, to be checked by hand. */
  by: string;
  remedy: string;
}

export interface Skew {
  /** Of the load. */
  largestMerchant: number;
  busiestShard: number;
  busiestDatabase: number;
  busiestInstance: number;
  shardsOfInstances: { least: number; most: number };
}

export interface Outcome {
  skew: Skew;
  lookUps: { keys: number; owners: number; keysByMerchant: number; ownersByMerchant: number };
  /** The fullest first. */
  parts: Part[];
}

export function farEnd(f: Figures): Outcome {
  const merchants = zipfParts(f.merchants, f.zipf_exponent);
  const ofShards = shardParts(merchants, f.shards);
  const held = heldByInstances(ofShards, f.databases, f.ledgers);
  const skew: Skew = {
    largestMerchant: Math.max(...merchants.subarray(0, 1)),
    busiestShard: Math.max(...ofShards),
    busiestDatabase: Math.max(...databaseParts(ofShards, f.databases)),
    busiestInstance: Math.max(...held.parts),
    shardsOfInstances: { least: Math.min(...held.shards), most: Math.max(...held.shards) },
  };
  const lookUps = lookUpsOf(f, merchants);
  const parts = [...ofLoad(f, skew), ...ofLookUps(f, lookUps), ...ofNumbers(f)];
  return { skew, lookUps, parts: parts.sort((one, other) => other.full - one.full) };
}

const requestsOf = (f: Figures) => f.payouts_per_second * (1 + f.reads_per_payout);
const readsOf = (f: Figures) => f.payouts_per_second * f.reads_per_payout;
const cores = (perSecond: number, ms: number) => (perSecond * ms) / 1_000;

/** As the gateways are now, and were each merchant's requests all sent to one of them. */
function lookUpsOf(f: Figures, merchants: Float64Array): Outcome['lookUps'] {
  const keys = { renewedAfterS: f.key_kept_seconds, entries: f.key_entries, perSecond: requestsOf(f) };
  const owners = { renewedAfterS: f.owner_kept_seconds, entries: f.owner_entries, perSecond: requestsOf(f) };
  const apart = { gateways: f.gateways };
  return {
    keys: cacheLoads(merchants, { ...keys, ...apart }),
    owners: cacheLoads(merchants, { ...owners, ...apart }),
    // One cache of all entries: each merchant is in one gateway's.
    keysByMerchant: cacheLoads(merchants, { ...keys, gateways: 1, entries: keys.entries * f.gateways }),
    ownersByMerchant: cacheLoads(merchants, { ...owners, gateways: 1, entries: owners.entries * f.gateways }),
  };
}

function ofLoad(f: Figures, skew: Skew): Part[] {
  const { payouts_per_second: payouts, commands_per_payout: commands } = f;
  const reads = readsOf(f);
  const ofLedger = cores(payouts, f.ledger_ms_per_payout) + cores(reads, f.query_service_ms);
  const inPostgres = cores(payouts, f.postgres_ms_per_payout) + cores(reads, f.query_postgres_ms);
  return [
    part(
      'writer of the busiest shard',
      skew.busiestShard * payouts * commands,
      f.writer_commands_per_second,
      'commands/s',
      {
        by: `${percent(skew.busiestShard)} of ${text(payouts)} payouts × ${commands}`,
        remedy: 'one merchant is not split: the rate of its writer is the bound; beyond it, as several merchants',
      },
    ),
    part('ledger instance with the most load', skew.busiestInstance * ofLedger, 1, 'cores', {
      by: `${percent(skew.busiestInstance)} of ${text(ofLedger)} cores: × ${f.ledger_ms_per_payout} ms and ${f.query_service_ms} ms`,
      remedy: 'fair shares by load, not by number: the busiest shard alone in its instance',
    }),
    part('gateways', cores(payouts, f.gateway_ms_per_payout) + cores(reads, f.query_gateway_ms), f.gateways, 'cores', {
      by: `${text(payouts)} × ${f.gateway_ms_per_payout} ms + ${text(reads)} × ${f.query_gateway_ms} ms; a core each`,
      remedy: 'more of them',
    }),
    part('instances of the payout service', cores(payouts, f.payout_ms_per_payout), f.services, 'cores', {
      by: `${text(payouts)} × ${f.payout_ms_per_payout} ms; a core each`,
      remedy: 'more of them',
    }),
    part('Postgres of the busiest ledger database', skew.busiestDatabase * inPostgres, f.database_cores, 'cores', {
      by: `${percent(skew.busiestDatabase)} of ${text(inPostgres)} cores: what all four databases take together`,
      remedy: 'shards move; none is needed',
    }),
    part('Postgres of the payout service', cores(payouts, f.postgres_ms_per_payout / 4), f.database_cores, 'cores', {
      by: `${text(payouts)} × ${f.postgres_ms_per_payout} ms / 4 databases`,
      remedy: 'as of the ledger: payouts by shard, on databases of their own',
    }),
    part(
      'broker, all messages of three servers',
      cores(payouts, f.broker_ms_per_payout) + cores(reads, f.query_broker_ms),
      3 * f.broker_cores,
      'cores',
      {
        by: `${text(payouts)} × ${f.broker_ms_per_payout} ms + ${text(reads)} × ${f.query_broker_ms} ms`,
        remedy: 'more servers: a request is the work of one',
      },
    ),
    part('stream of facts', payouts * f.facts_per_payout, f.facts_stored_per_second, 'facts/s', {
      by: `${text(payouts)} × ${f.facts_per_payout}; a stream has one leader`,
      remedy:
        'a stream for each group of shards, each with a leader of its own: ledger.<shard>.> names the shard already',
    }),
  ];
}

function ofLookUps(f: Figures, { keys, owners, keysByMerchant, ownersByMerchant }: Outcome['lookUps']): Part[] {
  const remedy = `the balancer sends a merchant to one gateway by its key: ${text(keysByMerchant + ownersByMerchant)} look-ups/s`;
  const requests = requestsOf(f);
  return [
    part('Postgres of the customer service', cores(keys + owners, f.query_postgres_ms), f.database_cores, 'cores', {
      by: `look-ups of ${text(keys)} keys and ${text(owners)} owners a second (of ${text(requests)} requests) × ${f.query_postgres_ms} ms`,
      remedy,
    }),
    part(
      'instances of the customer service',
      cores(f.payouts_per_second, f.customer_ms_per_payout) + cores(keys + owners, f.query_service_ms),
      f.services,
      'cores',
      {
        by: `payouts × ${f.customer_ms_per_payout} ms + look-ups × ${f.query_service_ms} ms; a core each`,
        remedy,
      },
    ),
    part('look-ups by gateways, of those without caches', keys + owners, 2 * requests, 'look-ups/s', {
      by: `caches save ${percent(1 - (keys + owners) / (2 * requests))}: a merchant seldom comes to the same gateway twice in 4 s`,
      remedy,
    }),
  ];
}

/** What grows with the numbers of shards, instances and databases, and not with the load. */
function ofNumbers(f: Figures): Part[] {
  const apiRequests = (f.shards * f.relay_requests) / f.relay_check_seconds;
  const commits = f.ledgers + f.shards / f.databases;
  const looks = f.looks_per_second * f.databases;
  const held = f.shards / f.ledgers;
  const atRest =
    cores(looks, f.look_node_ms) + cores(f.databases, f.heartbeat_node_ms) + cores(held, f.renewal_node_ms);
  return [
    part('connections of a ledger database', f.ledgers * f.pool, f.connections_max, 'connections', {
      by: `${f.ledgers} instances × ${f.pool}`,
      remedy: 'cells: instances that have only some of the databases; pools of four, the least, do for 38 instances',
    }),
    part('look-ups of relays in the stream, of idle shards too', apiRequests, f.api_requests_per_second, 'requests/s', {
      by: `${text(f.shards)} shards × ${f.relay_requests} requests every ${f.relay_check_seconds} s`,
      remedy:
        'ask for ledger.<shard>.> at once, which brokers from 2.10 can: a tenth of it; check less often while nothing is published',
    }),
    part('ledger instance at rest', atRest, 1, 'cores', {
      by:
        `each second ${text(looks)} looks × ${f.look_node_ms} ms + ${f.databases} heartbeats × ${f.heartbeat_node_ms} ms + ` +
        `${held} renewals × ${f.renewal_node_ms} ms`,
      remedy: 'cells; or looks once a second, and by notification in between',
    }),
    part(
      'Postgres of a ledger database at rest: looks',
      cores(f.looks_per_second * f.ledgers, f.look_ms),
      f.database_cores,
      'cores',
      {
        by: `${f.ledgers} instances × ${f.looks_per_second} × ${f.look_ms} ms, as if all of a look were Postgres`,
        remedy: 'none is needed',
      },
    ),
    part(
      'Postgres of home at rest: looks',
      cores(f.looks_per_second * f.ledgers, f.look_home_ms),
      f.database_cores,
      'cores',
      {
        by: `the same × ${f.look_home_ms} ms: it keeps a row of every shard that was moved away`,
        remedy: 'none is needed',
      },
    ),
    part('commits of a ledger database at rest', commits, f.renewals_per_second, 'commits/s', {
      by: `${f.ledgers} heartbeats + ${f.shards / f.databases} renewals a second`,
      remedy: 'none is needed',
    }),
    part(
      'statement of liabilities',
      f.statement_seconds * (f.merchants / 1_000_000),
      f.statement_every_seconds,
      's an hour',
      {
        by: 'a pass over all wallets by one instance; it needs all databases: of 100 that are away 0.05 % of the time, all are there 95 %',
        remedy: 'a tree for each database, and one over their roots',
      },
    ),
    part('names of databases', f.databases, f.named_databases_max, 'databases', {
      by: 'a bound of the setting',
      remedy: 'raise it (NAMED_DATABASES_MAX)',
    }),
    part('numbers of shards', f.shards, f.shards_max, 'shards', {
      by: 'a bound of the setting',
      remedy: 'raise it (SHARDS_MAX)',
    }),
  ];
}

function part(name: string, need: number, gives: number, unit: string, told: Pick<Part, 'by' | 'remedy'>): Part {
  return { part: name, need, gives, unit, full: need / gives, ...told };
}

const text = (value: number) => Number(value.toPrecision(3)).toLocaleString('en');
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
