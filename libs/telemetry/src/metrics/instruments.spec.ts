import { METRICS } from './catalogue';
import { initializeSeries, instruments, metricsText, readAtScrape, registry } from './instruments';
import { measureProcess, PROCESS_METRICS } from './process-metrics';

describe('instruments', () => {
  afterEach(() => registry.resetMetrics());

  it('are those of the catalogue, and named by their unit', async () => {
    const told = registry.getMetricsAsArray().map(({ name }) => name);
    expect(told).toEqual(expect.arrayContaining(Object.keys(METRICS)));
    const withoutUnit = Object.entries(METRICS).filter(
      ([name, { type }]) =>
        (type === 'counter') !== name.endsWith('_total') ||
        (type === 'histogram' && !/_(seconds|commands|facts)$/.test(name)),
    );
    expect(withoutUnit).toEqual([]);
  });

  it('count and measure', async () => {
    instruments.http_refusals_total.inc({ code: 'not_found' });
    instruments.bus_call_duration_seconds.observe({ subject: 'wallet.get-wallet', outcome: 'ok' }, 0.003);
    const text = await metricsText();
    expect(text).toContain('http_refusals_total{code="not_found"} 1');
    expect(text).toContain('bus_call_duration_seconds_bucket{le="0.005",subject="wallet.get-wallet",outcome="ok"} 1');
    expect(text).toContain('bus_call_duration_seconds_bucket{le="0.0025",subject="wallet.get-wallet",outcome="ok"} 0');
  });

  it('are there from the start where their labels are known, and go on from there', async () => {
    initializeSeries('payout_steps_total', { state: ['accepted', 'submitted'], outcome: ['made', 'failed'] });
    initializeSeries('consumer_handle_duration_seconds', { consumer: ['payout'], outcome: ['failed'] });
    expect(await seriesOf('payout_steps_total')).toEqual([
      'payout_steps_total{state="accepted",outcome="made"} 0',
      'payout_steps_total{state="accepted",outcome="failed"} 0',
      'payout_steps_total{state="submitted",outcome="made"} 0',
      'payout_steps_total{state="submitted",outcome="failed"} 0',
    ]);
    const failures = 'consumer_handle_duration_seconds_count{consumer="payout",outcome="failed"}';
    expect(await metricsText()).toContain(`${failures} 0`);
    instruments.payout_steps_total.inc({ state: 'accepted', outcome: 'failed' });
    instruments.consumer_handle_duration_seconds.observe({ consumer: 'payout', outcome: 'failed' }, 1);
    expect(await seriesOf('payout_steps_total')).toContain('payout_steps_total{state="accepted",outcome="failed"} 1');
    expect(await metricsText()).toContain(`${failures} 1`);
  });

  it('have no label that the catalogue does not name', () => {
    const labels = { code: 'not_found', merchant_id: '42' };
    expect(() => instruments.http_refusals_total.inc(labels)).toThrow('merchant_id');
  });

  it('read a gauge when they are asked for it, from all who have something to tell', async () => {
    const ends = [3, 4].map((shard) =>
      readAtScrape('ledger_queue_depth', () => [{ labels: { shard: String(shard) }, value: shard * 10 }]),
    );
    expect(await seriesOf('ledger_queue_depth')).toEqual([
      'ledger_queue_depth{shard="3"} 30',
      'ledger_queue_depth{shard="4"} 40',
    ]);
    ends[0]?.();
    expect(await seriesOf('ledger_queue_depth')).toEqual(['ledger_queue_depth{shard="4"} 40']);
    ends[1]?.();
    expect(await seriesOf('ledger_queue_depth')).toEqual([]);
  });

  it('leave out a gauge without a reader, or whose reader fails or hangs, and do not wait for it', async () => {
    expect(await seriesOf('database_pool_waiting')).toEqual([]);
    const end = readAtScrape('database_pool_size', () => Promise.reject(new Error('the database is away')));
    const endHanging = readAtScrape('payout_unfinished', () => new Promise(() => undefined));
    try {
      expect(await seriesOf('database_pool_size')).toEqual([]);
      expect(await seriesOf('payout_unfinished')).toEqual([]);
    } finally {
      end();
      endHanging();
    }
  });

  it('contain those of the process too', async () => {
    measureProcess();
    measureProcess();
    const text = await metricsText();
    const missing = Object.keys(PROCESS_METRICS).filter((name) => !text.includes(`# TYPE ${name} `));
    expect(missing).toEqual([]);
  });
});

async function seriesOf(name: string): Promise<string[]> {
  return (await metricsText()).split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
}
