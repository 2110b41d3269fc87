/**
 * What a failed call to the database means for its caller. Decided in one place, because Prisma, its adapter and the
 * driver each report errors in their own way.
 *
 * - `constraint`: a unique constraint was met; `constraint` names it
 * - `retry`: nothing was done and a retry may succeed (serialization failure, deadlock, a statement prepared before the
 *   schema changed, a server that only reads: a standby that is about to become the primary)
 * - `unknown`: the connection was lost, the time ran out or the server's machine failed; it may have been committed
 * - `bug`: everything else
 */
export type DatabaseFailure = { kind: 'constraint'; constraint: string } | { kind: 'retry' | 'unknown' | 'bug' };

const UNIQUE_VIOLATION = '23505';
const RETRYABLE = new Set(['40001', '40P01', '25006']);
/** Its code, 0A000, also stands for what Postgres can't do at all. */
const OUTDATED_PLAN = 'cached plan must not change result type';
/**
 * SQLSTATE classes 08 (connection), 28 (login refused: a password that is just being changed), 53 (resources), 57
 * (shutdown, cancelled statement), 58 (the machine: a disk that can't be read), and 25P03 (idle transaction ended),
 * 3D000 (no such database: one that is just being restored). None of them says anything about the statement.
 */
const AWAY = /^(08|28|53|57|58|25P03|3D000)/;
const AWAY_PRISMA = new Set(['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);
const AWAY_NODE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/**
 * The kinds that Prisma's adapter gives a broken socket; at COMMIT the error arrives unchanged, without a code. And a
 * certificate that is not trusted, for example one that has run out: it says nothing about the statement either.
 */
const AWAY_KINDS = new Set([
  ...['ConnectionClosed', 'SocketTimeout', 'DatabaseNotReachable', 'TooManyConnections', 'TlsConnectionError'],
]);
const AWAY_TEXT = new RegExp(
  [
    'connection (terminated|ended)',
    "can't reach database",
    'closed the connection',
    'timeout exceeded when trying to connect',
    'not queryable',
  ].join('|'),
  'i',
);

interface Nested {
  code?: unknown;
  originalCode?: unknown;
  originalMessage?: unknown;
  message?: unknown;
  kind?: unknown;
  constraint?: unknown;
  cause?: unknown;
  meta?: unknown;
  driverAdapterError?: unknown;
}

export function databaseFailure(error: unknown): DatabaseFailure {
  const layers = [...layersOf(error)];
  const codes = layers
    .flatMap(({ code, originalCode }) => [code, originalCode])
    .filter((code) => typeof code === 'string');
  if (codes.includes('P2002') || codes.includes(UNIQUE_VIOLATION)) {
    return { kind: 'constraint', constraint: constraintOf(layers) };
  }
  const texts = layers.map(({ message }) => message).filter((message) => typeof message === 'string');
  const retry = codes.some((code) => RETRYABLE.has(code)) || codes.includes('P2034') || isOutdatedPlan(error);
  if (retry) return { kind: 'retry' };
  const away =
    codes.some((code) => AWAY.test(code) || AWAY_PRISMA.has(code) || AWAY_NODE.has(code)) ||
    layers.some(({ kind }) => typeof kind === 'string' && AWAY_KINDS.has(kind)) ||
    texts.some((text) => AWAY_TEXT.test(text));
  return { kind: away ? 'unknown' : 'bug' };
}

/** Whether a prepared statement was refused because its result has got another type since: nothing was done. */
export function isOutdatedPlan(error: unknown): boolean {
  return [...layersOf(error)].some(({ message }) => typeof message === 'string' && message.includes(OUTDATED_PLAN));
}

/** What Postgres said of a statement that it refused; the adapter's error may name only the kind of refusal. */
export function databasesWords(error: unknown): string {
  const said = [...layersOf(error)].find(({ originalMessage }) => typeof originalMessage === 'string');
  return (said?.originalMessage as string | undefined) ?? (error as Error).message;
}

function* layersOf(error: unknown, depth = 0): Generator<Nested> {
  if (typeof error !== 'object' || error === null || depth > 6) return;
  const layer = error as Nested;
  yield layer;
  for (const inner of [layer.cause, layer.meta, layer.driverAdapterError]) yield* layersOf(inner, depth + 1);
}

/** Postgres names the constraint in its message; Prisma keeps its fields, its index name, or neither. */
function constraintOf(layers: Nested[]): string {
  for (const { constraint, message } of layers) {
    if (typeof constraint === 'string') return constraint;
    if (typeof constraint === 'object' && constraint !== null) {
      const { index, fields } = constraint as { index?: string; fields?: string[] };
      if (index ?? fields) return index ?? (fields as string[]).join(',');
    }
    const named = typeof message === 'string' && /unique constraint "([^"]+)"/.exec(message);
    if (named) return named[1] as string;
  }
  return '';
}
