import { eventually } from '@stablecoin/testing/eventually';
import { uniqueEmail, uniquePhone } from '@stablecoin/testing/person';
import { testStack, TestStack } from '@stablecoin/testing/stack';
import { Client } from './client';
import { newClient } from './merchants';
import { createIndividual, deposit, openWallet } from './people';
import { Customer, Wallet } from './resources';

type Service = keyof TestStack['operations_urls'];

/**
 * For each service some series that it must have after a deposit, as beginnings of lines; of counters of failures,
 * those that exist before the first failure.
 */
const TOLD: Record<Service, string[]> = {
  gateway: [
    'http_request_duration_seconds_count{method="POST",route="/api/sandbox/deposits",status="2xx"}',
    'http_refusals_total{code="not_found"}',
    'http_refusals_total{code="internal_error"}',
    'bus_call_duration_seconds_count{subject="customer.find-owner",outcome="ok"}',
  ],
  customer: [
    'bus_answer_duration_seconds_count{subject="customer.find-owner",outcome="ok"}',
    'consumer_lag_facts{consumer="customer-events"}',
    'consumer_parked_facts{consumer="customer"} 0',
    'consumer_fact_age_seconds_count{consumer="customer-events"}',
    'bus_refusals_total{subject="customer.find-owner",code="internal_error"}',
    'consumer_handle_duration_seconds_count{consumer="customer",outcome="failed"}',
    'webhook_attempts_total{outcome="given_up"}',
    'webhook_deliveries_pending ',
    'webhook_oldest_due_seconds ',
    'database_pool_connections{pool="main",state="in_use"}',
  ],
  'wallet-ledger': [
    'bus_answer_duration_seconds_count{subject="wallet.record-deposit",outcome="ok"}',
    'ledger_batch_commands_count{shard="',
    'ledger_commit_duration_seconds_count{shard="',
    'ledger_queue_depth{shard="0"} 0',
    'ledger_relay_lag_positions{shard="0"}',
    'ledger_relay_lag_seconds{shard="0"}',
    'ledger_log_broken{shard="0"} 0',
    'ledger_shards 4',
    'ledger_shards_owned ',
    'ledger_lease_changes_total{change="taken"}',
    'ledger_lease_changes_total{change="lost"}',
    'ledger_checkpoints_total{outcome="signed"}',
    'ledger_checkpoints_total{outcome="log_broken"}',
    'ledger_liability_statements_total{outcome="contradicted"}',
    'ledger_batches_failed_total{shard="0",reason="bug"}',
    'ledger_deposits_reversed_total{rail="solana"}',
    'bus_refusals_total{subject="wallet.record-deposit",code="unavailable"}',
    'database_pool_size{pool="main"} 10',
    'database_pool_size{pool="reads"} 10',
  ],
  'swap-pricing': ['consumer_lag_facts{consumer="swap-pricing"}', 'database_pool_waiting{pool="main"} 0'],
  payout: [
    'consumer_lag_facts{consumer="payout"}',
    'payout_unfinished{state="submitted"}',
    'payout_steps_total{state="completed",outcome="failed"}',
    'payout_oldest_unfinished_seconds ',
  ],
};
const OF_EVERY_PROCESS = [
  'process_start_time_seconds ',
  'nodejs_eventloop_lag_p99_seconds ',
  'process_cpu_seconds_total ',
];
const SERVICES = Object.keys(TOLD) as Service[];

describe('metrics', () => {
  const canaries = { first_name: 'Canarymetric', email: uniqueEmail(), phone: uniquePhone() };
  let merchant: Client;
  let customer: Customer;
  let wallet: Wallet;

  beforeAll(async () => {
    merchant = await newClient();
    customer = await createIndividual(merchant, canaries);
    wallet = await openWallet(merchant, { customer_id: customer.id, currency: 'USD' });
    await deposit(merchant, wallet.id, '7654321.89');
    await merchant.get(`/wallets/${customer.id}`);
  });

  async function metricsOf(service: Service): Promise<string> {
    const response = await fetch(`${testStack().operations_urls[service]}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return response.text();
  }

  it.each(SERVICES)('of %s show its work and its state', async (service) => {
    await eventually(`all of ${service}`, async () => {
      const lines = (await metricsOf(service)).split('\n');
      const missing = [...TOLD[service], ...OF_EVERY_PROCESS].filter(
        (wanted) => !lines.some((line) => line.startsWith(wanted)),
      );
      if (missing.length > 0) throw new Error(`missing: ${missing.join('; ')}`);
      return true;
    });
  });

  it('name no merchant, customer or other id', async () => {
    const text = (await Promise.all(SERVICES.map(metricsOf))).join('\n');
    const secrets = [...Object.values(canaries), merchant.apiKey as string, customer.id, wallet.id, '7654321.89'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    // No id of any kind.
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/);
  });

  it('are not there for merchants', async () => {
    const { status } = await fetch(`${testStack().base_url.replace(/\/api\/?$/, '')}/metrics`);
    expect(status).toBe(404);
  });
});
