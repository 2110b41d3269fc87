/**
 * The instruments of the catalogue, made once per process, and the text that Prometheus reads. Code counts and measures
 * where things happen: `instruments.http_refusals_total.inc({ code })`. The state of something (a queue, a pool) is
 * read when Prometheus scrapes, so that it costs nothing in between.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CounterName, GaugeName, HistogramName, LabelOf, MetricDefinition, MetricName, METRICS } from './catalogue';

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

type Instruments = { readonly [Name in CounterName]: Counter<LabelOf<Name>> } & {
  readonly [Name in HistogramName]: Histogram<LabelOf<Name>>;
};

/** A gauge's values at this moment; each set of labels once. */
export interface Reading<Name extends GaugeName> {
  labels: Record<LabelOf<Name>, string>;
  value: number;
}
type AnyReading = { labels: Record<string, string>; value: number };
type Reader = () => AnyReading[] | Promise<AnyReading[]>;

/** A reader that waits for a database or a broker which is away must not cost the scrape. */
const READ_WITHIN_MS = 2_000;

export const registry = new Registry();
const readers = new Map<string, Set<Reader>>();
export const instruments = makeInstruments();

/**
 * Has a gauge read when Prometheus asks. Several readers of one gauge, as those of several writers, add their series.
 *
 * @returns ends it
 */
export function readAtScrape<Name extends GaugeName>(
  name: Name,
  read: () => Reading<Name>[] | Promise<Reading<Name>[]>,
): () => void {
  const reader: Reader = read;
  readers.get(name)?.add(reader);
  return () => void readers.get(name)?.delete(reader);
}

/**
 * Has series of a counter or a histogram there from the start, with 0, for each combination of the labels' values. What
 * increased is seen between two samples of one series: of one that comes with its first event, that event is not. Once,
 * when a process begins.
 */
export function initializeSeries<Name extends CounterName | HistogramName>(
  name: Name,
  values: Readonly<Record<LabelOf<Name>, readonly string[]>>,
): void {
  const instrument: Counter | Histogram = instruments[name];
  for (const labels of combinationsOf(values)) {
    if (instrument instanceof Histogram) instrument.zero(labels);
    else instrument.inc(labels, 0);
  }
}

function combinationsOf(values: Readonly<Record<string, readonly string[]>>): Record<string, string>[] {
  return Object.entries(values).reduce<Record<string, string>[]>(
    (combinations, [label, of]) => combinations.flatMap((found) => of.map((value) => ({ ...found, [label]: value }))),
    [{}],
  );
}

/** Every metric of this process, in Prometheus' text format. */
export function metricsText(): Promise<string> {
  return registry.metrics();
}

function makeInstruments(): Instruments {
  const made = Object.entries(METRICS).map(([name, definition]) => [
    name,
    makeInstrument(name as MetricName, definition),
  ]);
  return Object.fromEntries(made) as Instruments;
}

function makeInstrument(name: MetricName, { type, help, labels, buckets }: MetricDefinition) {
  const options = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  switch (type) {
    case 'counter':
      return new Counter(options);
    case 'histogram':
      return new Histogram({ ...options, buckets: [...(buckets ?? [])] });
    case 'gauge':
      readers.set(name, new Set());
      return new Gauge({ ...options, collect: () => readGauge(name as GaugeName) });
  }
}

async function readGauge(name: GaugeName): Promise<void> {
  const gauge = registry.getSingleMetric(name) as Gauge;
  const readings = (await Promise.all([...(readers.get(name) ?? [])].map(readInTime))).flat();
  gauge.reset();
  // For prom-client a gauge without labels is 0 when its reader fails: it is left out, so that 0 always means 0.
  if (readings.length === 0) gauge.remove({});
  for (const { labels, value } of readings) gauge.set(labels, value);
}

/** A gauge that can't be read has no series, which an alert can distinguish from 0. */
async function readInTime(read: Reader): Promise<AnyReading[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<AnyReading[]>((give) => {
    timer = setTimeout(() => give([]), READ_WITHIN_MS).unref();
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

/** For durations: the seconds since `startedAt`, a moment of `performance.now()`. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;
