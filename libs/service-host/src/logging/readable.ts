/** A line of the log for a person: time, level, context, message and other fields, then the error's stack. */
interface Line {
  time: string;
  level: string;
  service?: string;
  context?: string;
  message?: string;
  error?: { message?: string; stack?: string };
  [field: string]: unknown;
}

/** Shown at the line's beginning, or the same on every line of a process. */
const LEFT_OUT = new Set(['time', 'level', 'service', 'pid', 'context', 'message', 'error']);
const HOURS_FROM = '2026-01-01T'.length;
const SECONDS_TO = HOURS_FROM + '12:34:56'.length;

/** On the terminal of one process. */
export function readable(json: string): string {
  const line = JSON.parse(json) as Line;
  return `${textOf(line, [line.time.slice(HOURS_FROM, -1), line.level.toUpperCase().padEnd(5)].join('  '))}\n`;
}

/** For a terminal with several services: `12:34:56 WARN  payout  message  key=value`. Undefined for other text. */
export function readableOfService(json: string, { milliseconds = false } = {}): string | undefined {
  const line = parsedLine(json);
  if (line === undefined) return undefined;
  const time = line.time.slice(HOURS_FROM, milliseconds ? -1 : SECONDS_TO);
  return textOf(line, `${time} ${line.level.toUpperCase().padEnd(5)} ${line.service ?? ''}`);
}

function textOf(line: Line, beginning: string): string {
  const fields = Object.entries(line)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const where = line.context ? `${line.context}: ` : '';
  const parts = [beginning, `${where}${line.message ?? ''}`, ...fields];
  const error = line.error?.stack ?? line.error?.message;
  return `${parts.join('  ')}${error ? `\n${error.replace(/^/gm, '    ')}` : ''}`;
}

function parsedLine(json: string): Line | undefined {
  if (!json.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(json) as Partial<Line>;
    return typeof line.time === 'string' && typeof line.level === 'string' ? (line as Line) : undefined;
  } catch {
    return undefined; // Not a line of ours, or one that a kill cut short.
  }
}
