import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { MetricDefinition, METRICS } from './catalogue';
import { OUTSIDE_METRICS } from './outside-metrics';
import { PROCESS_METRICS } from './process-metrics';
import { metricsIn, Selected } from './testing/metrics-in';

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
interface Proved {
  alertname: string;
  exp_alerts: unknown[];
}
const PROVED = (
  parse(read('deploy/prometheus/alerts.test.yml')) as { tests: { alert_rule_test: Proved[] }[] }
).tests.flatMap(({ alert_rule_test }) => alert_rule_test);

/** What of an expression isn't there: it isn't PromQL, or a metric, a label or a label's value is none of the catalogue. */
function unknownIn(expression: string): string[] {
  const { isSound, selected, grouped } = metricsIn(expression);
  const labels = new Set([...ADDED_LABELS, ...selected.flatMap(({ name }) => Object.keys(labelsOf(name) ?? {}))]);
  return [
    ...(isSound ? [] : [`no PromQL: ${expression}`]),
    ...selected.flatMap(unknownOf),
    ...grouped.filter((label) => !labels.has(label)),
  ];
}

function unknownOf({ name, matched }: Selected): string[] {
  const labels = labelsOf(name);
  if (!labels) return [name];
  return matched.flatMap(({ label, values }) => {
    if (ADDED_LABELS.includes(label)) return [];
    const text = labels[label];
    if (text === undefined) return [`${name}: ${label}`];
    const known = valuesIn(text);
    return values.filter((value) => known && !known.includes(value)).map((value) => `${name}: ${label}="${value}"`);
  });
}

/** Where the catalogue lists them, as in: `one`, `other`. */
function valuesIn(text: string): string[] | undefined {
  const [, list] = /^(?:[^`]*: )?(`[\w-]+`(?:, `[\w-]+`)*)$/.exec(text) ?? [];
  return list?.split(', ').map((value) => value.slice(1, -1));
}

function labelsOf(name: string): Readonly<Record<string, string>> | undefined {
  const all: Record<string, MetricDefinition> = METRICS;
  const base = name.replace(/_(bucket|sum|count)$/, '');
  if (all[base]?.type === 'histogram' && base !== name) return all[base].labels;
  if (all[name] && all[name].type !== 'histogram') return all[name].labels;
  const isElsewhere = name in OUTSIDE_METRICS || name in PROCESS_METRICS || base in PROCESS_METRICS;
  return isElsewhere ? {} : undefined;
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

  it('are proved each: when it fires, and when it does not', () => {
    const proved = (fires: boolean) =>
      new Set(PROVED.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname));
    const alerts = RULES.map(({ alert }) => alert);
    expect(alerts.filter((alert) => !proved(true).has(alert))).toEqual([]);
    expect(alerts.filter((alert) => !proved(false).has(alert))).toEqual([]);
    expect(PROVED.map(({ alertname }) => alertname).filter((alert) => !alerts.includes(alert))).toEqual([]);
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

  it('have different ids', () => {
    expect(new Set(DASHBOARDS.map(({ dashboard }) => dashboard.uid)).size).toBe(DASHBOARDS.length);
  });

  it('and rules show every metric of the catalogue between them', () => {
    const expressions = [
      ...RULES.map(({ expr }) => expr),
      ...DASHBOARDS.flatMap(({ dashboard }) =>
        dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ),
    ];
    const shown = new Set(
      expressions.flatMap((expression) => metricsIn(expression).selected.map(({ name }) => withoutSuffix(name))),
    );
    expect(Object.keys(METRICS).filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('the reader of expressions', () => {
  it.each<[string, string[]]>([
    ['sum by (code) (rate(http_refusals_total{code="not_found"}[5m])) > 3', []],
    ['histogram_quantile(0.99, sum by (le, job) (rate(bus_call_duration_seconds_bucket[$__rate_interval])))', []],
    ['payout_steps_total{state=~"accepted|submitted", outcome!="made"} offset 5m', []],
    ['max(made_up) - on (job) group_left two_more', ['made_up', 'two_more']],
    ['sum by (merchant) (up{job="x"})', ['merchant']],
    ['http_refusals_total{state="accepted"} and payout_unfinished', ['http_refusals_total: state']],
    ['payout_steps_total{outcome=~"failed|broken"}', ['payout_steps_total: outcome="broken"']],
    ['bus_call_duration_seconds', ['bus_call_duration_seconds']],
    ['sum(up', ['no PromQL: sum(up']],
  ])('%s', (expression, unknown) => {
    expect(unknownIn(expression)).toEqual(unknown);
  });
});

function withoutSuffix(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return base in METRICS ? base : name;
}
