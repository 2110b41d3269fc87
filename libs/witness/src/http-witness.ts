/**
 * A witness of c2sp.org/tlog-witness, asked over HTTP. What it answers is believed for its cosignature, not for its address.
 * `/refused` and `/origins` are additions of `apps/witness`: another server answers 404, and then nothing is known of them.
 */
import { cosignedAt, originHash, WitnessKey } from '@stablecoin/event-proofs/cosignature';
import { formatWitnessRequest, WitnessRequest } from '@stablecoin/event-proofs/witness-request';
import { RefusedCheckpoint, Witness, WitnessAnswer, WitnessUnavailable } from './witness';

const WITHIN_MS = 5_000;
const SIZE = /^(0|[1-9]\d{0,14})\n$/;

export class HttpWitness implements Witness {
  /** @param url the prefix of submission and of monitoring */
  constructor(
    private readonly url: string,
    private readonly key: WitnessKey,
  ) {}

  get name(): string {
    return this.key.name;
  }

  async submit(request: WitnessRequest): Promise<WitnessAnswer> {
    const { status, text } = await this.ask('/add-checkpoint', formatWitnessRequest(request));
    switch (status) {
      case 200:
        if (cosignedAt(request.note + text, this.key)) return { answer: 'taken' };
        throw this.unavailable('what it answered is not its cosignature');
      case 409: {
        const [, size] = SIZE.exec(text) ?? [];
        if (size === undefined) throw this.unavailable('it named no size');
        if (Number(size) !== request.oldSize) return { answer: 'other_size', size: Number(size) };
        return { answer: 'refused', problem: `it has another root of ${size} events` };
      }
      case 400:
      case 403:
      case 404:
      case 422:
        return { answer: 'refused', problem: REFUSALS[status] };
      default:
        throw this.unavailable(`it answered ${status}`);
    }
  }

  async newest(origin: string): Promise<string | undefined> {
    const { status, text } = await this.ask(`/${originHash(origin)}/checkpoint`);
    if (status === 404) return undefined;
    if (status !== 200) throw this.unavailable(`it answered ${status}`);
    if (!cosignedAt(text, this.key)) throw this.unavailable('what it answered has no cosignature by its key');
    return text;
  }

  async refused(origin: string): Promise<RefusedCheckpoint[]> {
    return (await this.askExtension<RefusedCheckpoint[]>(`/${originHash(origin)}/refused`)) ?? [];
  }

  async origins(): Promise<string[]> {
    return (await this.askExtension<string[]>('/origins')) ?? [];
  }

  private async askExtension<Answer>(path: string): Promise<Answer | undefined> {
    const { status, text } = await this.ask(path);
    if (status === 404) return undefined;
    if (status !== 200) throw this.unavailable(`it answered ${status}`);
    try {
      return JSON.parse(text) as Answer;
    } catch {
      throw this.unavailable('it answered what is no JSON');
    }
  }

  private async ask(path: string, body?: string): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(this.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      const { cause, message } = error as Error;
      throw this.unavailable((cause as Error | undefined)?.message ?? message);
    }
  }

  private unavailable(why: string): WitnessUnavailable {
    return new WitnessUnavailable(`witness ${this.name} at ${this.url}: ${why}`);
  }
}

const REFUSALS = {
  400: 'it took the request for malformed',
  403: 'it knows none of the keys that have signed',
  404: 'it does not know this log',
  422: 'the log does not extend what it has seen',
} as const;
