/**
 * A chart of days: stacked bars, or lines. Heights are drawn from floats; what is read of a day is the text that came with it. The
 * keyboard walks from day to day as on a slider, and the numbers stand in a table on the same screen.
 */
import { scaleBand, scaleLinear, scaleLog } from 'd3-scale';
import { line, stack } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { dayText } from './days';
import { useWidth } from './use-width';

export interface Series {
  name: string;
  /** One for each day; null where there is none. */
  values: readonly (number | null)[];
  /** What is read of a day. */
  texts: readonly string[];
}

interface DailyChartProps {
  title: string;
  /** What it shows in one sentence, for who does not see it. */
  description: string;
  days: readonly string[];
  series: readonly Series[];
  /** Times lie between milliseconds and days: their lines are drawn on a scale of powers of ten. */
  shape: 'bars' | 'lines' | 'times';
  /** On the scale at the side. */
  format: (value: number) => string;
}

const HEIGHT = 220;
const MARGIN = { top: 12, right: 8, bottom: 26, left: 58 };
const TICKS = 4;
const WIDTH_OF_LABEL = 76;
/** More of them hide the line. */
const DOTS_MAX = 120;

/** Of a scale of amounts or counts. */
export const compact = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value);

export function DailyChart(props: DailyChartProps) {
  const { title, description, days, series } = props;
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const id = useId();
  const last = days.length - 1;
  const at = Math.min(chosen ?? last, last);
  return (
    <figure className="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="legend">
        {series.map(({ name }, number) => (
          <li key={name} className={`series-${number}`}>
            {name}
          </li>
        ))}
      </ul>
      <div
        ref={frame}
        className="plot"
        tabIndex={0}
        role="slider"
        aria-label={`${title}: day`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={at + 1}
        aria-valuetext={readingOf(props, at)}
        onKeyDown={(event) => setChosen(dayByKey(event, at, last))}
        onPointerMove={(event) => setChosen(dayAt(event, days.length))}
        onPointerLeave={() => setChosen(undefined)}
      >
        {width === 0 ? null : <Plot {...props} width={width} chosen={at} description={description} />}
      </div>
      <p className="reading" aria-hidden="true">
        {readingOf(props, at)}
      </p>
    </figure>
  );
}

const readingOf = ({ days, series }: DailyChartProps, at: number): string =>
  `${dayText(days[at] ?? '')}: ${series.map(({ name, texts }) => `${name} ${texts[at] ?? ''}`).join(', ')}`;

function dayByKey(event: KeyboardEvent, at: number, last: number): number {
  const places: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 },
    ...{ PageUp: at + 7, PageDown: at - 7, Home: 0, End: last },
  };
  const place = places[event.key];
  if (place === undefined) return at;
  event.preventDefault();
  return Math.max(0, Math.min(last, place));
}

function dayAt(event: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const share = (event.clientX - left - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
  return Math.max(0, Math.min(count - 1, Math.floor(share * count)));
}

function Plot({
  title,
  description,
  days,
  series,
  shape,
  format,
  width,
  chosen,
}: DailyChartProps & { width: number; chosen: number }) {
  const x = scaleBand(days, [MARGIN.left, width - MARGIN.right]).padding(days.length > 120 ? 0 : 0.2);
  const y = HEIGHTS[shape](series);
  const every = Math.max(1, Math.ceil((days.length * WIDTH_OF_LABEL) / (width - MARGIN.left)));
  const left = x(days[chosen] ?? '') ?? 0;
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} role="img">
      <title>{title}</title>
      <desc>{description}</desc>
      {y.ticks.map((tick) => (
        <g key={tick} className="tick">
          <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y.scale(tick)} y2={y.scale(tick)} />
          <text x={MARGIN.left - 8} y={y.scale(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      <rect
        className="chosen"
        x={left - (x.step() - x.bandwidth()) / 2}
        y={MARGIN.top}
        width={x.step()}
        height={HEIGHT - MARGIN.top - MARGIN.bottom}
      />
      {shape === 'bars' ? (
        <Bars days={days} series={series} x={x} y={y.scale} />
      ) : (
        <Lines days={days} series={series} x={x} y={y.scale} />
      )}
      {days.map((day, number) =>
        number % every === 0 ? (
          <text key={day} className="day" x={(x(day) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 8} textAnchor="middle">
            {dayText(day, 'short')}
          </text>
        ) : null,
      )}
    </svg>
  );
}

interface Drawn {
  days: readonly string[];
  series: readonly Series[];
  x: ReturnType<typeof scaleBand<string>>;
  y: (value: number) => number;
}

const RANGE = [HEIGHT - MARGIN.bottom, MARGIN.top] as const;
const numberOf = (value: number | null | undefined): number => value ?? 0;

function heightOfBars(series: readonly Series[]) {
  const sums = (series[0]?.values ?? []).map((_, day) =>
    series.reduce((sum, { values }) => sum + Math.max(0, numberOf(values[day])), 0),
  );
  const scale = scaleLinear([0, Math.max(...sums, 0) || 1], RANGE).nice(TICKS);
  return { scale, ticks: scale.ticks(TICKS) };
}

const valuesOf = (series: readonly Series[]) =>
  series.flatMap(({ values }) => values.filter((value) => value !== null));

function heightOfLines(series: readonly Series[]) {
  const all = valuesOf(series);
  const scale = scaleLinear([Math.min(0, ...all), Math.max(...all, 0) || 1], RANGE).nice(TICKS);
  return { scale, ticks: scale.ticks(TICKS) };
}

function heightOfTimes(series: readonly Series[]) {
  const all = valuesOf(series);
  const [least, most] = [Math.min(...all, 1_000), Math.max(...all, 10_000)];
  const scale = scaleLog([10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most))], RANGE);
  const [from, to] = scale.domain().map((end) => Math.round(Math.log10(end))) as [number, number];
  const ticks = Array.from({ length: to - from + 1 }, (_, step) => 10 ** (from + step));
  return { scale, ticks };
}

const HEIGHTS: Readonly<
  Record<
    DailyChartProps['shape'],
    (series: readonly Series[]) => { scale: (value: number) => number; ticks: readonly number[] }
  >
> = { bars: heightOfBars, lines: heightOfLines, times: heightOfTimes };

function Bars({ days, series, x, y }: Drawn) {
  const rows = days.map((_, day) => series.map(({ values }) => Math.max(0, numberOf(values[day]))));
  const layers = stack<unknown, number[], number>()
    .keys(series.map((_, number) => number))
    .value((row, number) => row[number] ?? 0)(rows);
  return layers.map((layer) => (
    <g key={layer.key} className={`series-${layer.key}`}>
      {layer.map(([from, to], day) =>
        to > from ? (
          <rect
            key={days[day]}
            x={x(days[day] ?? '')}
            width={Math.max(1, x.bandwidth())}
            y={y(to)}
            height={Math.max(1, y(from) - y(to))}
          />
        ) : null,
      )}
    </g>
  ));
}

function Lines({ days, series, x, y }: Drawn) {
  const middle = (day: number) => (x(days[day] ?? '') ?? 0) + x.bandwidth() / 2;
  const drawn = line<number | null>()
    .defined((value) => value !== null)
    .x((_, day) => middle(day))
    .y((value) => y(numberOf(value)));
  return series.map(({ name, values }, number) => (
    <g key={name} className={`series-${number}`}>
      <path d={drawn([...values]) ?? ''} />
      {values.map((value, day) =>
        value === null || days.length > DOTS_MAX ? null : (
          <circle key={days[day]} cx={middle(day)} cy={y(value)} r={2.5} />
        ),
      )}
    </g>
  ));
}
