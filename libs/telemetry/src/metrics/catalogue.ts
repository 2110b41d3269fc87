/**
 * Every metric of every service, defined once: instruments are made from it (instruments.ts), the chapter of
 * docs/OPERATIONS.md is written from it, and alert rules and dashboards are checked against it. Names end in their
 * unit, or in `_total` for counters.
 *
 * A label's values are a closed set that the code knows and each metric states: routes by their pattern, subjects by
 * their operation, codes by the contract. No id, key, path or text from outside ever becomes one: each value is a
 * series that Prometheus keeps for weeks, and people who read metrics need not know which merchant moved which amount.
 */
export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface MetricDefinition {
  readonly type: MetricType;
  readonly help: string;
  /** Which services have it. */
  readonly of: string;
  /** Each label with the closed set that bounds it. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of histograms: the upper bounds, in the unit of the name. */
  readonly buckets?: readonly number[];
}

/** From a cached read to the 5 s after which every request has ended. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 4.5];
const AGE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600];
const BATCH_SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

const SUBJECT = 'the operations of the contracts, without the shard';
const OUTCOME = '`ok`, `refused`, `unavailable`, `internal_error`';
const CODE = 'the codes of docs/ERRORS.md';
const SHARD = 'the numbers of the shards';
const POOLS =
  '`main`; of wallet-ledger also `reads`, and of each database in `LEDGER_DATABASES` its name before both: `b main`';
const CONSUMER = 'the consumers of facts: `customer`, `customer-events`, `swap-pricing`, `payout`, `chain`';
const DATABASE = '`home`, and the names in `LEDGER_DATABASES`';
const EVM = 'the networks with a node: `erc20`, `bep20`, `polygon`';
const TOKEN = '`USDT`, `USDC`';

/** As apps/chain/src/nodes/chain-nodes.ts has them. */
const NODE_FAILURES =
  '`throttled`, `timeout`, `unreachable`, `unknown-block`, `too-much`, `internal`, `malformed-answer`, ' +
  '`method-unsupported`, `wrong-chain`, `wrong-token`';
/** As libs/contracts/chain/src/views.ts has them. */
const TRANSFER_HOLDS =
  '`turn`, `nodes`, `liquidity`, `gas`, `fees_too_high`, `token_paused`, `signing_cap`, `signer`, `nonce_taken`, ' +
  '`transfer_missing`';
/** As libs/contracts/signer/src/sign-transfer.ts has them. */
const SIGNING_REFUSALS =
  '`wrong_sender`, `token_not_listed`, `own_address`, `unpayable_address`, `no_cold_address`, `priority_above_fee`, ' +
  '`nonce_used`, `nonce_closed`, `fees_not_raised`, `fee_per_gas_above_cap`, `fee_above_cap`, `fees_above_daily_cap`, ' +
  '`amount_above_cap`, `amount_above_daily_cap`';

export const METRICS = {
  http_request_duration_seconds: {
    type: 'histogram',
    help: 'From the first byte of a request to the last of its answer.',
    of: 'gateway, backoffice',
    labels: {
      method: 'the methods of the interface; `other` where no route is',
      route: "the interface's patterns; `none` where no route is",
      status: '`2xx` to `5xx`',
    },
    buckets: REQUEST_SECONDS,
  },
  http_refusals_total: {
    type: 'counter',
    help: 'Answers that are refusals, by their code.',
    of: 'gateway',
    labels: { code: CODE },
  },
  http_connections_closed_total: {
    type: 'counter',
    help: 'Connections that the gateway closed or did not take, to keep room for others.',
    of: 'gateway',
    labels: { reason: '`address_full`, `address_kept_out`, `full`, `evicted_silent`, `evicted_waiting`, `flooded`' },
  },
  key_address_refusals_total: {
    type: 'counter',
    help: 'Requests with a valid API key from an address that it does not allow (`invalid_api_key`).',
    of: 'gateway',
    labels: {},
  },
  bus_call_duration_seconds: {
    type: 'histogram',
    help: 'A call of another service over the bus, waiting for a responder included.',
    of: 'all',
    labels: { subject: SUBJECT, outcome: OUTCOME },
    buckets: REQUEST_SECONDS,
  },
  bus_answer_duration_seconds: {
    type: 'histogram',
    help: 'Answering a message, from its arrival to its reply.',
    of: 'customer, wallet-ledger, swap-pricing, payout, signer, chain',
    labels: { subject: SUBJECT, outcome: OUTCOME },
    buckets: REQUEST_SECONDS,
  },
  bus_refusals_total: {
    type: 'counter',
    help: 'Replies that are refusals, by subject and code, where they are given.',
    of: 'customer, wallet-ledger, swap-pricing, payout, signer, chain',
    labels: { subject: SUBJECT, code: CODE },
  },
  bus_messages_in_flight: {
    type: 'gauge',
    help: 'Messages being answered; at 1,024 they are refused as `unavailable`.',
    of: 'customer, wallet-ledger, swap-pricing, payout, signer, chain',
    labels: {},
  },
  ledger_batch_commands: {
    type: 'histogram',
    help: 'Commands that shared a commit.',
    of: 'wallet-ledger',
    labels: { shard: SHARD },
    buckets: BATCH_SIZES,
  },
  ledger_decide_duration_seconds: {
    type: 'histogram',
    help: 'Loading what a batch needs and deciding it in memory.',
    of: 'wallet-ledger',
    labels: { shard: SHARD },
    buckets: COMMIT_SECONDS,
  },
  ledger_commit_duration_seconds: {
    type: 'histogram',
    help: "A batch's transaction, looking up an unknown outcome included.",
    of: 'wallet-ledger',
    labels: { shard: SHARD },
    buckets: COMMIT_SECONDS,
  },
  ledger_batches_failed_total: {
    type: 'counter',
    help: 'Batches that are not in the log: the lease was lost, another login moved the head, no database, or a bug.',
    of: 'wallet-ledger',
    labels: { shard: SHARD, reason: '`lease_lost`, `head_changed`, `outage`, `bug`' },
  },
  ledger_commands_unauthorized_total: {
    type: 'counter',
    help: 'Commands refused because of who asked, or because their evidence does not prove what they say.',
    of: 'wallet-ledger',
    labels: {
      reason: '`no_caller`, `not_a_caller`, `wrong_mac`, `wrong_proof`, `no_evidence`, `wrong_evidence`',
    },
  },
  ledger_swap_prices_refused_total: {
    type: 'counter',
    help: 'Swaps refused because of their price: too far from the hour before, from the operator’s book, or too dear for the house.',
    of: 'wallet-ledger',
    labels: { bound: '`previous`, `reference`, `loss`' },
  },
  ledger_deposits_reversed_total: {
    type: 'counter',
    help: 'Deposits whose money is gone after it was credited, sandbox merchants included.',
    of: 'wallet-ledger',
    labels: { rail: '`bank` and the networks' },
  },
  ledger_queue_depth: {
    type: 'gauge',
    help: "Commands that wait for a shard's writer; at 5,000 they are refused as `unavailable`.",
    of: 'wallet-ledger',
    labels: { shard: SHARD },
  },
  ledger_queue_oldest_wait_seconds: {
    type: 'gauge',
    help: 'How long the oldest of them has waited.',
    of: 'wallet-ledger',
    labels: { shard: SHARD },
  },
  ledger_head_position: {
    type: 'gauge',
    help: "Where a shard's log ends; its slope is the rate of events.",
    of: 'wallet-ledger',
    labels: { shard: SHARD },
  },
  ledger_relay_lag_positions: {
    type: 'gauge',
    help: 'Events of the log that are not yet on the stream.',
    of: 'wallet-ledger',
    labels: { shard: SHARD },
  },
  ledger_relay_lag_seconds: {
    type: 'gauge',
    help: 'How long the relay has been behind the log; 0 when it is not.',
    of: 'wallet-ledger',
    labels: { shard: SHARD },
  },
  ledger_shards: {
    type: 'gauge',
    help: 'How many shards the log has (`LEDGER_SHARDS`).',
    of: 'wallet-ledger',
    labels: {},
  },
  ledger_shards_owned: {
    type: 'gauge',
    help: 'Shards that this instance holds; over all instances the sum is `ledger_shards`.',
    of: 'wallet-ledger',
    labels: {},
  },
  ledger_database_shards: {
    type: 'gauge',
    help: 'Shards that this instance holds, by the database that they are in.',
    of: 'wallet-ledger',
    labels: { database: DATABASE },
  },
  ledger_database_lost: {
    type: 'gauge',
    help:
      '1 while this instance gets no answer from a database: what its shards are asked for is refused at once. ' +
      'Only where there are several.',
    of: 'wallet-ledger',
    labels: { database: DATABASE },
  },
  ledger_database_unseen_seconds: {
    type: 'gauge',
    help: 'For how long an instance has not got through a look at a database, of which it makes four a second; leases last 3 s.',
    of: 'wallet-ledger',
    labels: { database: DATABASE },
  },
  ledger_database_clock_offset_seconds: {
    type: 'gauge',
    help: "How far an instance's clock is ahead of a database's, or, below 0, behind it; beyond 5 s it holds no shard there.",
    of: 'wallet-ledger',
    labels: { database: DATABASE },
  },
  ledger_lease_changes_total: {
    type: 'counter',
    help: 'Shards taken, handed over in order, and lost to another instance.',
    of: 'wallet-ledger',
    labels: { change: '`taken`, `handed_over`, `lost`' },
  },
  ledger_checkpoints_total: {
    type: 'counter',
    help: 'Looks of the checkpointer: signed a checkpoint, found nothing new, could not, or found the log broken.',
    of: 'wallet-ledger',
    labels: { outcome: '`signed`, `unchanged`, `failed`, `log_broken`' },
  },
  ledger_witness_publications_total: {
    type: 'counter',
    help: 'Checkpoints sent to a witness (`CHECKPOINT_WITNESSES`): taken, not delivered, or refused as no continuation.',
    of: 'wallet-ledger',
    labels: { witness: 'a directory, or the name in its key', outcome: '`taken`, `failed`, `refused`' },
  },
  ledger_unwitnessed_seconds: {
    type: 'gauge',
    help: 'For how long a witness has lacked a checkpoint that was signed; 0 when it has the newest.',
    of: 'wallet-ledger',
    labels: { shard: SHARD, witness: 'a directory, or the name in its key' },
  },
  ledger_liability_statements_total: {
    type: 'counter',
    help: 'Statements of what is owed to all wallets: signed, not needed, could not be made, or refused for sums that contradict.',
    of: 'wallet-ledger',
    labels: { outcome: '`signed`, `unchanged`, `failed`, `contradicted`' },
  },
  ledger_liability_statement_seconds: {
    type: 'histogram',
    help: 'Making one of these statements: a pass over all wallets.',
    of: 'wallet-ledger',
    labels: {},
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300],
  },
  ledger_log_broken: {
    type: 'gauge',
    help: '1 when a shard is not what was signed: nothing of it is signed until somebody has looked.',
    of: 'wallet-ledger',
    labels: { shard: SHARD },
  },
  consumer_lag_facts: {
    type: 'gauge',
    help: 'Facts on the stream that a consumer has not acknowledged, as the broker counts them.',
    of: 'customer, swap-pricing, payout, chain',
    labels: { consumer: CONSUMER },
  },
  consumer_batch_facts: {
    type: 'histogram',
    help: 'Facts that were handled in one transaction.',
    of: 'customer, swap-pricing, payout, chain',
    labels: { consumer: CONSUMER },
    buckets: [1, 2, 5, 10, 25, 50, 100, 200],
  },
  consumer_handle_duration_seconds: {
    type: 'histogram',
    help: 'Handling a batch of facts, its commit included.',
    of: 'customer, swap-pricing, payout, chain',
    labels: { consumer: CONSUMER, outcome: '`handled`, `failed`' },
    buckets: COMMIT_SECONDS,
  },
  consumer_fact_age_seconds: {
    type: 'histogram',
    help: 'How old the oldest fact of a batch is when it has been handled, from its commit in the ledger on.',
    of: 'customer, swap-pricing, payout, chain',
    labels: { consumer: CONSUMER },
    buckets: AGE_SECONDS,
  },
  consumer_parked_facts: {
    type: 'gauge',
    help: 'Facts that could not be handled and wait for somebody, and those held back behind them.',
    of: 'customer, swap-pricing, payout, chain',
    labels: { consumer: CONSUMER },
  },
  chain_walk_lag_blocks: {
    type: 'gauge',
    help: "How many blocks the walk is behind the node's newest one.",
    of: 'chain',
    labels: { network: EVM },
  },
  chain_finality_lag_blocks: {
    type: 'gauge',
    help: "How many blocks what is final is behind the node's newest block.",
    of: 'chain',
    labels: { network: EVM },
  },
  chain_tip_age_seconds: {
    type: 'gauge',
    help: 'How long ago the last walked block was made, by its own time; it grows while no node answers.',
    of: 'chain',
    labels: { network: EVM },
  },
  chain_node_lag_blocks: {
    type: 'gauge',
    help: 'By how many blocks a node is behind the furthest node of its network.',
    of: 'chain',
    labels: { network: EVM, node: 'the hosts of the nodes' },
  },
  chain_node_errors_total: {
    type: 'counter',
    help: "A node's failures to answer a question.",
    of: 'chain',
    labels: { network: EVM, kind: NODE_FAILURES },
  },
  chain_node_disagreements_total: {
    type: 'counter',
    help: 'How often two nodes of a network differed on a final block or on a transfer in one.',
    of: 'chain',
    labels: { network: EVM },
  },
  chain_finality_broken_total: {
    type: 'counter',
    help: 'Replacements of blocks that were final, and deposits that were in them.',
    of: 'chain',
    labels: { network: EVM },
  },
  chain_deposits_open: {
    type: 'gauge',
    help: 'Deposits that are neither final nor gone.',
    of: 'chain',
    labels: { network: EVM, standing: '`included`, `orphaned`' },
  },
  chain_deposits_unrecognised: {
    type: 'gauge',
    help: 'Transfers to our addresses that were not credited by themselves and wait for an operator.',
    of: 'chain',
    labels: {
      reason:
        '`unknown_token`, `below_smallest_unit`, `wrong_currency`, `network_without_address`, `customer_closed`, ' +
        '`unknown_wallet`, `refused_by_ledger`, `rejected_by_screening`',
    },
  },
  chain_deposit_steps_total: {
    type: 'counter',
    help: 'Questions to the ledger about deposits; refused ones wait for an operator.',
    of: 'chain',
    labels: { step: '`record`, `confirm`, `fail`, `reverse`', outcome: '`made`, `refused`, `failed`' },
  },
  chain_deposit_oldest_due_seconds: {
    type: 'gauge',
    help: 'How long the oldest deposit has waited for its next step at the ledger; 0 where none does.',
    of: 'chain',
    labels: {},
  },
  chain_transfers_open: {
    type: 'gauge',
    help: 'Transfers from our addresses that have not ended.',
    of: 'chain',
    labels: { network: EVM, state: '`waiting`, `sent`' },
  },
  chain_transfers_held: {
    type: 'gauge',
    help: 'Transfers that do not go on for now, by what holds them.',
    of: 'chain',
    labels: { network: EVM, by: TRANSFER_HOLDS },
  },
  chain_transfer_oldest_unconfirmed_seconds: {
    type: 'gauge',
    help: 'How long ago the oldest transfer was ordered that has not ended; 0 where there is none.',
    of: 'chain',
    labels: { network: EVM },
  },
  chain_transfers_ended_total: {
    type: 'counter',
    help: 'Transfers of which a transaction is final, by what became of them.',
    of: 'chain',
    labels: { network: EVM, outcome: '`completed`, `reverted`, `cancelled`, `transfer_missing`' },
  },
  chain_transfer_replacements_total: {
    type: 'counter',
    help: 'Transactions that were signed to take the place of another one, with higher fees or to cancel it.',
    of: 'chain',
    labels: { network: EVM, cancels: '`true`, `false`' },
  },
  chain_signer_refusals_total: {
    type: 'counter',
    help: 'Transactions that the signer would not sign, and those that it signed with another key than was asked for.',
    of: 'chain',
    labels: { network: EVM, reason: `${SIGNING_REFUSALS}, \`other_key\`` },
  },
  chain_lanes_stopped: {
    type: 'gauge',
    help: 'Addresses of ours that send nothing more, because the chain has a transaction of theirs that is not ours.',
    of: 'chain',
    labels: { network: EVM },
  },
  chain_hot_tokens: {
    type: 'gauge',
    help: 'What the hot wallet of a network has of a currency, as it was last read.',
    of: 'chain',
    labels: { network: EVM, currency: TOKEN },
  },
  chain_hot_minimum_tokens: {
    type: 'gauge',
    help: 'What a hot wallet should have at least: CHAIN_HOT_MIN.',
    of: 'chain',
    labels: { currency: 'those that it names' },
  },
  chain_hot_coins_transfers: {
    type: 'gauge',
    help: "For how many transfers of a token the hot wallet's coins pay, at the fees of the market.",
    of: 'chain',
    labels: { network: EVM },
  },
  chain_deposit_addresses_tokens: {
    type: 'gauge',
    help: 'What deposit addresses have of a currency, as they were last read.',
    of: 'chain',
    labels: { network: EVM, currency: TOKEN },
  },
  chain_treasury_age_seconds: {
    type: 'gauge',
    help: 'How long ago the hot wallet was read; it grows while the signer or a node does not answer.',
    of: 'chain',
    labels: { network: EVM },
  },
  chain_treasury_orders_total: {
    type: 'counter',
    help: 'Transfers between addresses of ours that the treasury ordered.',
    of: 'chain',
    labels: { network: EVM, kind: '`sweep`, `gas`, `to-cold`' },
  },
  payout_steps_total: {
    type: 'counter',
    help: 'Steps of payouts, by the state that they began in.',
    of: 'payout',
    labels: { state: '`accepted`, `submitting`, `submitted`, `completed`', outcome: '`made`, `failed`' },
  },
  payout_unfinished: {
    type: 'gauge',
    help: 'Payouts that have not ended, by state.',
    of: 'payout',
    labels: { state: '`accepted`, `submitting`, `submitted`' },
  },
  payout_oldest_unfinished_seconds: {
    type: 'gauge',
    help: 'How long ago the oldest of them was accepted; 0 when there is none.',
    of: 'payout',
    labels: {},
  },
  payout_waiting_for_screening: {
    type: 'gauge',
    help: 'Payouts whose money is held and that are not sent: a case is open, or a list is missing or too old.',
    of: 'payout',
    labels: {},
  },
  screening_answers_total: {
    type: 'counter',
    help: 'Movements that were screened, as often as they were; `unlisted` waits for a list that is missing or too old.',
    of: 'customer',
    labels: {
      movement: '`payout`, `deposit`',
      decision: '`clear`, `held`, `released`, `rejected`, `unlisted`',
    },
  },
  screening_cases_open: {
    type: 'gauge',
    help: 'Hits on which compliance has to decide: found before the money moved, or by a list that came later.',
    of: 'customer',
    labels: { opened_by: '`screening`, `list`' },
  },
  screening_list_seconds_left: {
    type: 'gauge',
    help: 'How long until the first list is older than its limit, below 0 since; not there without a list.',
    of: 'customer',
    labels: {},
  },
  payout_terms_refused_total: {
    type: 'counter',
    help: 'Payouts that were not sent, as their rows say something else than the ledger.',
    of: 'payout',
    labels: {},
  },
  webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver an event; `given_up` was the last one or the webhook is gone.',
    of: 'customer',
    labels: { outcome: '`delivered`, `failed`, `given_up`' },
  },
  webhook_deliveries_pending: {
    type: 'gauge',
    help: 'Deliveries that have not ended, those that wait for their next attempt among them.',
    of: 'customer',
    labels: {},
  },
  webhook_oldest_due_seconds: {
    type: 'gauge',
    help: 'How long the oldest delivery that is due has waited for its attempt; 0 when none is.',
    of: 'customer',
    labels: {},
  },
  storage_quota_refusals_total: {
    type: 'counter',
    help: 'Documents that were refused because their merchant has as much stored as its quota allows.',
    of: 'customer',
    labels: {},
  },
  stored_document_bytes: {
    type: 'gauge',
    help: 'Bytes of documents that are stored, of all merchants, before they were sealed. Counted every ten minutes.',
    of: 'customer',
    labels: {},
  },
  merchants_near_quota: {
    type: 'gauge',
    help: 'Merchants that use 80 % or more of a quota, with what is on its way. Counted every ten minutes.',
    of: 'customer',
    labels: { quota: '`documents`, `document_bytes`, `webhook_endpoints`' },
  },
  key_wrapping_requests_total: {
    type: 'counter',
    help: 'Requests to the key management service, repeated attempts counted once; none where the master key is in the settings.',
    of: 'customer, payout',
    labels: { operation: '`encrypt`, `decrypt`', outcome: '`answered`, `failed`' },
  },
  signer_signatures_total: {
    type: 'counter',
    help: 'Transactions that were signed, replacements and cancellations among them; a repeated request counts once.',
    of: 'signer',
    labels: {
      network: '`erc20`, `bep20`, `polygon`',
      movement: '`payout`, `sweep`, `to-cold`, `gas`, `cancel`',
    },
  },
  signer_refusals_total: {
    type: 'counter',
    help: "Requests that the signer's own rules refused, by reason.",
    of: 'signer',
    labels: { reason: SIGNING_REFUSALS },
  },
  signer_daily_cap_used_ratio: {
    type: 'gauge',
    help: 'The part of a cap that is used up within 24 hours: of payouts in a currency, of gas, of fees.',
    of: 'signer',
    labels: { network: '`erc20`, `bep20`, `polygon`', of: '`USDT`, `USDC`, `gas`, `fees`' },
  },
  database_pool_connections: {
    type: 'gauge',
    help: "The pool's connections to the database.",
    of: 'customer, wallet-ledger, swap-pricing, payout, chain',
    labels: { pool: POOLS, state: '`in_use`, `idle`' },
  },
  database_pool_waiting: {
    type: 'gauge',
    help: 'Statements and transactions that wait for a connection.',
    of: 'customer, wallet-ledger, swap-pricing, payout, chain',
    labels: { pool: POOLS },
  },
  database_pool_size: {
    type: 'gauge',
    help: 'Connections that the pool may have; all pools of a process together `DATABASE_POOL_SIZE`.',
    of: 'customer, wallet-ledger, swap-pricing, payout, chain',
    labels: { pool: POOLS },
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
type NamesOf<Type extends MetricType> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type HistogramName = NamesOf<'histogram'>;
export type LabelOf<Name extends MetricName> = Extract<keyof (typeof METRICS)[Name]['labels'], string>;
