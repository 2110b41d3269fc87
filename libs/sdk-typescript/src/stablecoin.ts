import { StablecoinError } from './errors';
import { Resources } from './resources.generated';
import { AttemptLog, Transport } from './transport';
import { Webhooks } from './webhooks';

export interface StablecoinOptions {
  /** `STABLECOIN_API_KEY` of the environment unless given. */
  apiKey?: string;
  /** With its path, such as `https://stablecoin.example/api`. `STABLECOIN_BASE_URL` unless given, then a service on this machine. */
  baseUrl?: string;
  /** For one attempt: 10,000 unless said otherwise, twice what the service takes at most. A large body has longer. */
  timeoutMs?: number;
  /** For all attempts of a call and the waits between them: 60,000 unless said otherwise. */
  deadlineMs?: number;
  /** Attempts after the first: 4 unless said otherwise. */
  maxRetries?: number;
  /** In place of the global fetch: for a proxy, or a test. */
  fetch?: typeof globalThis.fetch;
  /** Called after every attempt. What it throws is ignored. */
  logger?: (attempt: AttemptLog) => void;
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:3000/api';
const TIMEOUT_MS = 10_000;
const DEADLINE_MS = 60_000;
const RETRIES_MAX = 4;

/**
 * A merchant's client.
 *
 * @example
 * ```ts
 * const client = new Stablecoin({ apiKey: process.env.STABLECOIN_API_KEY });
 * const payout = await client.payouts.createToBank(
 *   { currency: 'USDT', amount: '10', account_number: '0123456789', bank_code: '011', recipient_name: 'Ada Obi' },
 *   { idempotencyKey: 'order-4711' },
 * );
 * ```
 */
export class Stablecoin extends Resources {
  override readonly webhooks: Webhooks;

  /** @throws StablecoinError when there is no API key, or the base URL is none */
  constructor(options: StablecoinOptions = {}) {
    const transport = new Transport({
      apiKey: apiKeyOf(options),
      baseUrl: baseUrlOf(options),
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      maxRetries: options.maxRetries ?? RETRIES_MAX,
      // Looked up at each attempt, so that what replaces the global one later counts.
      fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
      logger: options.logger,
    });
    super(transport);
    this.webhooks = new Webhooks(transport);
  }
}

function apiKeyOf({ apiKey = process.env['STABLECOIN_API_KEY'] }: StablecoinOptions): string {
  if (apiKey) return apiKey;
  throw new StablecoinError('There is no API key: give apiKey, or set STABLECOIN_API_KEY.');
}

function baseUrlOf({ baseUrl = process.env['STABLECOIN_BASE_URL'] }: StablecoinOptions): string {
  const given = baseUrl || DEFAULT_BASE_URL;
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw new StablecoinError(`${given} is no URL of a service.`);
  return given.replace(/\/+$/, '');
}
