import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { MetricDefinition, METRICS } from './catalogue';
import { OUTSIDE_METRICS } from './outside-metrics';
import { PROCESS_METRICS } from './process-metrics';
import { metricsIn } from './testing/metrics-in';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Dashboard {
  uid: string;
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

const ROOT = join(__dirname, '../../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const RULES = (parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const DASHBOARDS = readdirSync(join(ROOT, 'deploy/grafana/dashboards')).map((file) => ({
  file,
  dashboard: JSON.parse(read(`deploy/grafana/dashboards/${file}`)) as Dashboard,
}));
/** What Prometheus adds to every series, and what metrics from elsewhere have. */
const ADDED_LABELS = ['job', 'instance', 'le', 'alertstate', 'kind', 'fstype'];

function unknownIn(expression: string): string[] {
  const { names, labels } = metricsIn(expression);
  const definitions = names.map(definitionOf);
  const known = new Set([...ADDED_LABELS, ...definitions.flatMap((found) => Object.keys(found?.labels ?? {}))]);
  return [...names.filter((_, index) => !definitions[index]), ...labels.filter((label) => !known.has(label))];
}

function definitionOf(name: string): Pick<MetricDefinition, 'labels'> | undefined {
  const all: Record<string, MetricDefinition> = METRICS;
  const base = name.replace(/_(bucket|sum|count)$/, '');
  if (all[base]?.type === 'histogram' && base !== name) return all[base];
  if (all[name] && all[name].type !== 'histogram') return all[name];
  const isElsewhere = name in OUTSIDE_METRICS || name in PROCESS_METRICS || base in PROCESS_METRICS;
  return isElsewhere ? { labels: {} } : undefined;
}

describe('alert rules', () => {
  it.each(RULES.map((rule) => [rule.alert, rule] as const))('%s names metrics and labels that exist', (_, { expr }) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  it('say how urgent they are, in one sentence what is wrong, and where that is explained', () => {
    const wanting = RULES.filter(
      ({ alert, labels, annotations }) =>
        !['page', 'ticket'].includes(labels.severity) ||
        annotations.summary.length === 0 ||
        annotations.runbook !== `docs/ALERTS.md#${alert.toLowerCase()}`,
    );
    expect(wanting.map(({ alert }) => alert)).toEqual([]);
    expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
  });

  it('have each an entry in the handbook, and the handbook none without a rule', () => {
    const entries = [...read('docs/ALERTS.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(entries.sort()).toEqual(RULES.map(({ alert }) => alert).sort());
  });
});

describe('dashboards', () => {
  it.each(DASHBOARDS)('$file names metrics and labels that exist', ({ dashboard }) => {
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(0);
    expect(expressions.flatMap(unknownIn)).toEqual([]);
  });

  it('are told apart', () => {
    expect(new Set(DASHBOARDS.map(({ dashboard }) => dashboard.uid)).size).toBe(DASHBOARDS.length);
  });

  it('and rules show every metric of the catalogue between them', () => {
    const expressions = [
      ...RULES.map(({ expr }) => expr),
      ...DASHBOARDS.flatMap(({ dashboard }) =>
        dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ),
    ];
    const shown = new Set(expressions.flatMap((expression) => metricsIn(expression).names.map(withoutSuffix)));
    expect(Object.keys(METRICS).filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('the reader of expressions', () => {
  it.each([
    [
      'sum by (shard) (rate(made_up_total{code="a b", status!~"x|y"}[5m])) > 3',
      ['made_up_total'],
      ['code', 'status', 'shard'],
    ],
    ['max(one) - on (job) two offset 5m and absent(up{job="x"})', ['one', 'two', 'up'], ['job']],
    ['histogram_quantile(0.99, sum by (le) (rate(a_bucket[$__rate_interval])))', ['a_bucket'], ['le']],
  ])('%s', (expression, names, labels) => {
    const found = metricsIn(expression);
    expect(found.names).toEqual(names);
    expect([...found.labels].sort()).toEqual([...labels].sort());
  });
});

function withoutSuffix(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return base in METRICS ? base : name;
}
