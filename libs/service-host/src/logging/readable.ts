/** A line of the log for a person: time, level, where, what, and what else is known, then the error's stack. */
interface Line {
  time: string;
  level: string;
  context?: string;
  message?: string;
  error?: { message?: string; stack?: string };
  [field: string]: unknown;
}

/** The same on every line of a process: a person sees them in the terminal's title. */
const LEFT_OUT = new Set(['time', 'level', 'service', 'pid', 'context', 'message', 'error']);

export function readable(json: string): string {
  const line = JSON.parse(json) as Line;
  const fields = Object.entries(line)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const time = line.time.slice('2026-01-01T'.length, -1);
  const where = line.context ? `${line.context}: ` : '';
  const parts = [time, line.level.toUpperCase().padEnd(5), `${where}${line.message ?? ''}`, ...fields];
  const error = line.error?.stack ?? line.error?.message;
  return `${parts.join('  ')}${error ? `\n${error.replace(/^/gm, '    ')}` : ''}\n`;
}
