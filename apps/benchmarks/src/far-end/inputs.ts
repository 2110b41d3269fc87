/**
 * What the model of the far end calculates with. Each figure stands here once, with where it was measured; the program prints them
 * beside its results. Times are those of the machine of docs/PERFORMANCE.md.
 */
export interface Input {
  value: number;
  unit: string;
  /** The benchmark that measured it, or the setting that says so. */
  from: string;
}

const HTTP = 'bench -- http, processor time by process';
const WALLET_READ = 'ADR 57: 1.42 ms a read; its parts by bench -- operations --kind wallet-read';
const AT_REST = 'bench -- at-rest';

const input = (value: number, unit: string, from: string): Input => ({ value, unit, from });

export const INPUTS = {
  shards: input(1_000, 'shards', 'the question'),
  databases: input(100, 'databases', 'the question'),
  merchants: input(1_000_000, 'merchants', 'the question'),
  zipf_exponent: input(1, '', 'the question; with 1 the second merchant has half of the first'),
  payouts_per_second: input(10_000, '/s', 'chosen'),
  reads_per_payout: input(2, 'reads', 'chosen'),
  gateways: input(40, 'instances', 'chosen'),
  ledgers: input(40, 'instances', 'chosen'),
  services: input(40, 'instances', 'chosen: of the payout and of the customer service each'),
  database_cores: input(32, 'cores', 'chosen: of each Postgres server'),
  broker_cores: input(32, 'cores', 'chosen: of each of three servers'),
  writer_commands_per_second: input(8_030, '/s', 'bench -- ledger: hot, MACs, signatures, limits'),
  gateway_ms_per_payout: input(0.87, 'ms', HTTP),
  ledger_ms_per_payout: input(1.16, 'ms', HTTP),
  payout_ms_per_payout: input(0.84, 'ms', HTTP),
  customer_ms_per_payout: input(0.3, 'ms', HTTP),
  broker_ms_per_payout: input(0.37, 'ms', HTTP),
  postgres_ms_per_payout: input(1.41, 'ms', `${HTTP}, four databases together`),
  commands_per_payout: input(2, 'commands', 'the hold, and its end'),
  facts_per_payout: input(2, 'facts', 'payout-accepted and payout-completed'),
  query_service_ms: input(0.46, 'ms', WALLET_READ),
  query_postgres_ms: input(0.31, 'ms', WALLET_READ),
  query_gateway_ms: input(0.52, 'ms', WALLET_READ),
  query_broker_ms: input(0.07, 'ms', WALLET_READ),
  look_ms: input(0.9, 'ms', `${AT_REST}: 10 shards, 4 instances`),
  look_node_ms: input(0.89, 'ms', `${AT_REST}: of it in Node`),
  look_home_ms: input(1.29, 'ms', `${AT_REST}: 1,000 rows, of which 990 have moved`),
  renewals_per_second: input(3_890, '/s', `${AT_REST}: commits of one row, 50 at once`),
  renewal_node_ms: input(0.43, 'ms', AT_REST),
  heartbeat_node_ms: input(0.31, 'ms', AT_REST),
  api_requests_per_second: input(5_140, '/s', `${AT_REST}: 64 look-ups at once, by one process, which is its bound`),
  facts_stored_per_second: input(5_140, '/s', `${AT_REST}: 500 at once, by one process, which is its bound`),
  looks_per_second: input(4, '/s', 'LOOK_MS, of each instance at each database'),
  relay_requests: input(20, 'requests', 'the stream itself, and the last fact of each of 19 movements'),
  relay_check_seconds: input(2, 's', 'STREAM_CHECK_MS'),
  pool: input(21, 'connections', 'DATABASE_POOL_SIZE, and one that watches'),
  connections_max: input(190, 'connections', 'max_connections = 200, less those of people'),
  key_kept_seconds: input(4, 's', 'KNOWN_MS less REFRESHED_MS'),
  key_entries: input(10_000, 'keys', 'KEYS_MAX'),
  owner_kept_seconds: input(0.4, 's', 'OWNER_MS less REFRESHED_MS'),
  owner_entries: input(20_000, 'owners', 'OWNERS_MAX'),
  statement_seconds: input(60, 's', 'docs/adr/0036: 6 s for 100,000 wallets, one wallet of each merchant'),
  statement_every_seconds: input(3_600, 's', 'LIABILITIES_INTERVAL_MS'),
  named_databases_max: input(65, 'databases', 'LEDGER_DATABASES takes 64, and home'),
  shards_max: input(1_024, 'shards', 'LEDGER_SHARDS'),
} satisfies Record<string, Input>;

export type Figures = Record<keyof typeof INPUTS, number>;

export const figuresOf = (inputs: Record<keyof Figures, Input>): Figures =>
  Object.fromEntries(Object.entries(inputs).map(([name, { value }]) => [name, value])) as Figures;
