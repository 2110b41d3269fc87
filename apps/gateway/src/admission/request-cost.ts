import type { FastifyRequest } from 'fastify';
import '../http/request-state';

/** Tokens of the rate limit that a request costs beside those of its route, which `@Route({ cost })` declares. */
const SEARCH_COST = 4;
/** A list skips the rows of the pages before one by one. */
const SKIPPED_ROWS_PER_TOKEN = 1_000;
const SKIPPED_ROWS_COST_MAX = 50;
const ROWS_PER_TOKEN = 20;
/** The largest that a list takes; a larger one is refused. */
const ROWS_MAX = 100;
const LIMIT_DEFAULT = 20;
/** Fields are read, checked, sealed and stored one by one: 100 KiB of them take the services as long as a dozen usual requests. */
const BODY_BYTES_PER_TOKEN = 8 * 1024;
/** Larger bodies hold documents, of which only the size matters: a MiB costs as much as 8 KiB of other fields. */
const FIELDS_BYTES_MAX = 100 * 1024;
const DOCUMENT_BYTES_PER_TOKEN = 1024 * 1024;
/** A page of a hundred transactions or usual customers is smaller. */
const ANSWER_BYTES_FREE = 128 * 1024;
const ANSWER_BYTES_PER_TOKEN = 32 * 1024;

/**
 * How much of its caller's rate a request uses: 1 for a read or a write of one thing, more for what takes the services
 * longer. The guide apps/documentation/guides/limits.md lists the costs.
 */
export function costOf(request: Pick<FastifyRequest, 'query' | 'headers' | 'routeOptions'>): number {
  const { config, bodyLimit } = request.routeOptions;
  const query = (request.query ?? {}) as Record<string, unknown>;
  // A body without a length counts as the largest that its route takes.
  const bodyBytes = request.headers['transfer-encoding'] ? bodyLimit : request.headers['content-length'];
  return (config.cost ?? 1) + (query['search'] ? SEARCH_COST : 0) + rowsCost(query) + bodyCost(bodyBytes);
}

/**
 * What an answer costs beyond that, known once it is made: a page of customers with fifty owners each takes the services a hundred times as
 * long as one of usual customers, and how large they are shows only then.
 */
export const costOfAnswer = (bytes: number): number =>
  Math.ceil(Math.max(0, bytes - ANSWER_BYTES_FREE) / ANSWER_BYTES_PER_TOKEN);

function rowsCost({ page, limit }: Record<string, unknown>): number {
  const rows = Math.min(countIn(limit, 0), ROWS_MAX);
  const skippedRows = (countIn(page, 1) - 1) * (rows || LIMIT_DEFAULT);
  const skippedCost = Math.min(Math.floor(skippedRows / SKIPPED_ROWS_PER_TOKEN), SKIPPED_ROWS_COST_MAX);
  return skippedCost + Math.floor(rows / ROWS_PER_TOKEN);
}

function bodyCost(given: unknown): number {
  const bytes = countIn(given, 0);
  const fieldsCost = Math.floor(Math.min(bytes, FIELDS_BYTES_MAX) / BODY_BYTES_PER_TOKEN);
  return fieldsCost + (bytes > FIELDS_BYTES_MAX ? Math.ceil(bytes / DOCUMENT_BYTES_PER_TOKEN) : 0);
}

/** The validation refuses what is no whole number; here it counts as if it were not there. */
function countIn(given: unknown, absent: number): number {
  const count = Number(given);
  return Number.isSafeInteger(count) && count > 0 ? count : absent;
}
