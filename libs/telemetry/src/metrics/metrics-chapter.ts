import { MetricDefinition, METRICS } from './catalogue';
import { OUTSIDE_METRICS } from './outside-metrics';
import { PROCESS_METRICS } from './process-metrics';

const HEAD = `Every service tells its metrics at \`/metrics\` of its operations port (\`OPERATIONS_PORT\`), in Prometheus' text format.
Which service a series is of, its label \`job\` says, and which instance of it, \`instance\`; both are added by Prometheus
(\`deploy/prometheus/prometheus.yml\`). Alert rules stand in \`deploy/prometheus/alerts.yml\`, each with an entry in
[ALERTS.md](ALERTS.md), dashboards in \`deploy/grafana/dashboards\`.

A histogram is three series per set of labels: \`_bucket\`, \`_sum\` and \`_count\`. Rate and errors are those of \`_count\`:

\`\`\`
sum by (route) (rate(http_request_duration_seconds_count[5m]))
histogram_quantile(0.99, sum by (le, subject) (rate(bus_answer_duration_seconds_bucket[5m])))
\`\`\`

A label's values are a closed set that the code knows. No id, key, path or text from outside is ever one of them. A
gauge that can't be read, because the database or the broker behind it is away, is missing until it can: it is not 0. A
counter whose labels are known beforehand is there from the start with 0, so that its first event counts as an increase;
\`bus_refusals_total\` is so for \`internal_error\` and \`unavailable\`. Other series come with their first event.
`;

/** The chapter of docs/OPERATIONS.md: every metric with its type, labels and meaning, from the catalogue. */
export function metricsChapter(): string {
  return [
    HEAD,
    '### Of the services\n',
    table(
      ['name', 'type', 'labels', 'services', 'what it tells'],
      Object.entries<MetricDefinition>(METRICS).map(([name, definition]) => rowOf(name, definition)),
    ),
    '### Of each process\n',
    'Beside these prom-client tells a few more of the same kind.\n',
    table(['name', 'what it tells'], Object.entries(PROCESS_METRICS).map(plainRow)),
    '### From elsewhere\n',
    'What alert rules and dashboards need beside them.\n',
    table(['name', 'what it tells'], Object.entries(OUTSIDE_METRICS).map(plainRow)),
  ].join('\n');
}

function rowOf(name: string, { type, labels, of, help, buckets }: MetricDefinition): string[] {
  const bounded = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
  const upTo = buckets ? `${type}, ${buckets[0]} to ${buckets.at(-1)}` : type;
  return [`\`${name}\``, upTo, bounded.join('; ') || 'none', of, help];
}

const plainRow = ([name, help]: [string, string]): string[] => [`\`${name}\``, help];

function table(head: readonly string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
