import { Logger, OnApplicationBootstrap, BeforeApplicationShutdown } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { dividePrices } from '@stablecoin/money/price';
import { RateDocument, readRateDocument } from './rate-document';
import { RateBook, RateSource } from './rate-source';

const FETCH_TIMEOUT_MS = 2_500;
const DOCUMENT_BYTES_MAX = 512 * 1024;
const REFRESH_MS_MIN = 1_000;
const REFRESH_MS_MAX = 60_000;

/**
 * Rates of a public exchange-rate API: fetched in the background well before they are too old, one request at a time
 * with a time and a size limit. Callers get the cached rates; only when these are too old do they wait for a fetch. If
 * the fetch brings no fresh rates either, they are refused: a stale price is never given.
 */
export class HttpRateSource extends RateSource implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(HttpRateSource.name);
  private cached: RateDocument | undefined;
  private fetching: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly maxAgeMs: number,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    const refreshMs = Math.min(Math.max(this.maxAgeMs / 3, REFRESH_MS_MIN), REFRESH_MS_MAX);
    this.timer = setInterval(() => void this.refresh(), refreshMs).unref();
    void this.refresh();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async currentBook(): Promise<RateBook> {
    const fresh = this.freshBook();
    if (fresh) return fresh;
    await this.refresh();
    const fetched = this.freshBook();
    if (!fetched) throw new Refusal('unavailable');
    return fetched;
  }

  private freshBook(): RateBook | undefined {
    const document = this.cached;
    if (!document || Date.now() - document.asOf > this.maxAgeMs) return undefined;
    return {
      priceOf: (from, to) => {
        const [fromUnits, toUnits] = [document.unitsPerBase[from], document.unitsPerBase[to]];
        if (fromUnits === undefined || toUnits === undefined) throw new Refusal('unavailable');
        return dividePrices(toUnits, fromUnits);
      },
      validUntil: new Date(document.asOf + this.maxAgeMs),
    };
  }

  private refresh(): Promise<void> {
    this.fetching ??= this.fetchDocument().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async fetchDocument(): Promise<void> {
    const requestedAt = Date.now();
    try {
      const response = await fetch(this.url, {
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        redirect: 'error',
        headers: { accept: 'application/json' },
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const document = readRateDocument(await boundedText(response), requestedAt);
      if (!this.cached || document.asOf >= this.cached.asOf) this.cached = document;
    } catch (error) {
      // The URL may contain a key: only the error is logged.
      this.log.warn(`no rates fetched: ${(error as Error).message}`);
    }
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body = (response.body ?? []) as AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES_MAX) throw new Error(`more than ${DOCUMENT_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
