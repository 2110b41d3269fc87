import { createRequire } from 'node:module';
import type { LRParser } from '@lezer/lr';

// Its types are only for modules of the other kind; what they describe can be had by both.
const { parser } = createRequire(__filename)('@prometheus-io/lezer-promql') as { parser: LRParser };

/** One metric that an expression selects, with what it asks of its labels. */
export interface Selected {
  name: string;
  matched: { label: string; values: string[] }[];
}

export interface MetricsIn {
  /** Whether it is PromQL at all. */
  isSound: boolean;
  selected: Selected[];
  /** What it groups and joins by. */
  grouped: string[];
}

/** Grafana puts a duration in its place. */
const GRAFANA_INTERVAL = '$__rate_interval';

/** The metrics and the labels that a PromQL expression names, read with Prometheus' own grammar. */
export function metricsIn(text: string): MetricsIn {
  const expression = text.replaceAll(GRAFANA_INTERVAL, '5m');
  const found: MetricsIn = { isSound: true, selected: [], grouped: [] };
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter: ({ node, type }) => {
      if (type.isError) found.isSound = false;
      if (type.name === 'VectorSelector') found.selected.push({ name: nameIn(textOf(node)), matched: [] });
      if (type.name === 'GroupingLabels') found.grouped.push(...node.getChildren('LabelName').map(textOf));
      if (type.name !== 'UnquotedLabelMatcher') return;
      const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((child) => node.getChild(child));
      if (!label || !operator || !value) return;
      const quoted = textOf(value).slice(1, -1);
      const values = textOf(operator).endsWith('~') ? quoted.split('|') : [quoted];
      found.selected.at(-1)?.matched.push({ label: textOf(label), values });
    },
  });
  return found;
}

const nameIn = (selector: string): string => selector.split('{', 1)[0]?.trim() ?? '';
