import { randomUUID } from 'node:crypto';
import { eventually } from '@stablecoin/testing/eventually';
import { TIMED_OUT, UnansweredRequest } from '@stablecoin/testing/merchant-client';
import { Answer, Client } from '../client';
import { Transaction as TransactionResponse } from '../resources';
import { printed } from './amounts';
import { Disagreement, sameFields } from './disagreement';
import { sameVerdict } from './dry-runs';
import { Model, Quote, Transaction, Wallet } from './model';
import type { OtherMerchant } from './other-merchant';

/** One line of a sequence: the command, and how it ended. */
export interface TraceLine {
  words: string;
  ended: string;
}

/** A request that was accepted under an Idempotency-Key, with its answer. */
export interface Sent {
  words: string;
  method: string;
  path: string;
  body: Record<string, unknown>;
  key: string;
  text: string;
  /** A change that makes it another request, which would be valid as well. */
  other: Record<string, unknown> | undefined;
}

/** The part of a step that the world needs to let it try again. */
export interface Asker {
  readonly words: string;
  check(model: Readonly<Model>): boolean;
  perform(model: Model, world: World): Promise<void>;
}

export interface Write {
  method?: string;
  path: string;
  body?: Record<string, unknown>;
  other?: Record<string, unknown>;
  /** First sends it as a dry run, under the same key, and looks at what may not have changed. */
  triedFirst?: { model: Model; wallets: readonly (Wallet | undefined)[]; quotes?: readonly Quote[] };
}

const SETTLES_WITHIN_MS = 20_000;
/**
 * All sequences of a run end services all the time: a step that was interrupted waits until its lease has ended, and
 * may be interrupted again. `npm run faults` judges how soon all works after one fault; here a payout only has to
 * settle.
 */
const SETTLES_AMID_RESTARTS_WITHIN_MS = 180_000;
const ANSWERS_WITHIN_MS = 60_000;
const RETRY_MS = 100;
/** After these the outcome is unknown: the same request, under the same key, returns it. */
const UNKNOWN = ['unavailable', 'idempotency_in_flight', 'rate_limited'];

/** The service as one merchant sees it; keeps what was sent. */
export class World {
  readonly trace: TraceLine[] = [];
  readonly sent: Sent[] = [];
  readonly refused: { step: Asker; key: string }[] = [];
  dryRuns = 0;
  private forcedKey: string | undefined;

  constructor(
    readonly client: Client,
    readonly merchantId: string,
    readonly otherMerchant: OtherMerchant,
    /** Where services may be away: repeats a request until there is an answer, as a careful merchant does. */
    private readonly isPatient: boolean,
    /** Ends a process of the stack; only where sequences may. */
    readonly strike?: (service: string, signal: 'SIGKILL' | 'SIGTERM') => Promise<void>,
    /** Another key, which approves payouts. */
    private readonly approver?: Client,
  ) {}

  begin(words: string): void {
    this.trace.push({ words, ended: '' });
  }

  /** Describes what the command turned out to be about, once that is known. */
  saying(words: string): void {
    const line = this.trace.at(-1);
    if (line) line.words = words;
  }

  end(ended: string): void {
    const line = this.trace.at(-1);
    if (line) line.ended = line.ended === '' ? ended : `${line.ended}, ${ended}`;
  }

  read<Data>(path: string): Promise<Answer<Data>> {
    return this.asked(() => this.client.get<Data>(path));
  }

  /** Sends a request that changes something. With a key it can be sent again later, by another step. */
  async write<Data>(step: Asker, isKeyed: boolean, { method = 'POST', path, body = {}, other, triedFirst }: Write) {
    const key = this.forcedKey ?? (isKeyed || this.isPatient ? randomUUID() : undefined);
    const tried = triedFirst && (await this.dryRun<Data>(path, body, key));
    if (triedFirst) await this.expectUnchanged(triedFirst);
    const answer = await this.send<Data>(method, path, body, key);
    if (tried) sameVerdict(tried, answer);
    if (key === undefined) return answer;
    const { text } = answer;
    if (answer.status < 300) this.sent.push({ words: step.words, method, path, body, key, text, other });
    else if (isKeyed && this.forcedKey === undefined) this.refused.push({ step, key });
    return answer;
  }

  /** Sends a word on a payout, under a key of its own each time, so that a service that is away is asked again. */
  judge<Data>(by: 'creator' | 'approver', path: string, body: Record<string, unknown>): Promise<Answer<Data>> {
    const client = by === 'approver' ? this.approver : this.client;
    if (!client) throw new Error('the merchant has no approver');
    const idempotencyKey = randomUUID();
    return this.asked(() => client.send<Data>('POST', path, body, { idempotencyKey }));
  }

  dryRun<Data>(path: string, body: Record<string, unknown>, key?: string): Promise<Answer<Data>> {
    this.dryRuns += 1;
    return this.send<Data>('POST', path, { ...body, dry_run: true }, key);
  }

  private async expectUnchanged({ model, wallets, quotes = [] }: NonNullable<Write['triedFirst']>): Promise<void> {
    const { body } = await this.read('/transactions?limit=1');
    const { total } = body.pagination as { total: number };
    sameFields('after the dry run, the list', { total: model.transactions.length }, { total });
    for (const wallet of wallets) {
      if (!wallet) continue;
      const { balance } = (await this.read<{ balance: string }>(`/wallets/${wallet.id}`)).body.data;
      sameFields('after the dry run, the wallet', { balance: printed(wallet.balance) }, { balance });
    }
    for (const { id, used } of quotes) {
      if (used) continue;
      const { confirmed } = (await this.read<{ confirmed: boolean }>(`/swaps/${id}`)).body.data;
      sameFields('after the dry run, the quote', { confirmed: false }, { confirmed });
    }
  }

  send<Data>(method: string, path: string, body: Record<string, unknown>, idempotencyKey?: string) {
    const sending = idempotencyKey === undefined ? {} : { idempotencyKey };
    return this.asked(() => this.client.send<Data>(method, path, body, sending));
  }

  /**
   * Of several requests under one key at once, some are refused because another is still running: they are repeated.
   */
  landed<Data>(ask: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
    return eventually('nothing is in flight under the key', async () => {
      const answer = await ask();
      return answer.body.code !== 'idempotency_in_flight' && answer;
    });
  }

  /**
   * Does a step once more under the key of its refusal: the refusal did not use up the key, and the step is decided
   * anew.
   */
  async again(step: Asker, key: string, model: Model): Promise<void> {
    this.forcedKey = key;
    try {
      await step.perform(model, this);
    } finally {
      this.forcedKey = undefined;
    }
  }

  /** Waits until payouts that end by themselves have ended, and updates the model. */
  async settled(model: Model, payouts: readonly Transaction[] = model.transactions): Promise<void> {
    for (const payout of payouts) {
      const { awaits, wallet } = payout;
      if (awaits === null) continue;
      const printed = await this.settling(payout, awaits);
      model.resolve(payout, awaits);
      // It completed at an unknown moment, so it shows one of the balances that the wallet has had since it was
      // accepted.
      if (awaits !== 'COMPLETED') continue;
      const balances = wallet.balances.slice(payout.since);
      const balance = balances.find((each) => isPrinted(each, printed.balance));
      if (balance !== undefined) payout.balance = balance;
    }
  }

  /** Before money of a wallet moves or is compared: waits until payouts that return their money to it have done so. */
  quiet(model: Model, wallet: Wallet | undefined): Promise<void> {
    const returning = model.transactions.filter(
      (payout) => payout.wallet === wallet && payout.awaits !== null && payout.awaits !== 'COMPLETED',
    );
    return this.settled(model, returning);
  }

  private async settling({ label, fixed }: Transaction, status: string): Promise<TransactionResponse> {
    let last = 'nothing';
    const timeoutMs = this.isPatient ? SETTLES_AMID_RESTARTS_WITHIN_MS : SETTLES_WITHIN_MS;
    const path = `/customers/transactions/by_txid/${fixed.transaction_id}`;
    const look = async () => {
      const { status: httpStatus, body } = await this.read<TransactionResponse>(path);
      last = httpStatus < 300 ? body.data.status : String(body.code);
      return last === status && body.data;
    };
    try {
      return await eventually(`${label} is ${status}`, look, { timeoutMs, pollMs: 50 });
    } catch {
      throw new Disagreement(`${label} to be ${status} within ${timeoutMs / 1000} s`, last);
    }
  }

  private async asked<Data>(ask: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
    if (!this.isPatient) return ask();
    const options = { timeoutMs: ANSWERS_WITHIN_MS, pollMs: RETRY_MS };
    const known = await eventually('an answer that is not to be asked for again', () => knownOutcome(ask), options);
    if ('finding' in known) throw known.finding;
    return known;
  }
}

async function knownOutcome<Data>(ask: () => Promise<Answer<Data>>): Promise<Answer<Data> | Finding | undefined> {
  try {
    const answer = await ask();
    return UNKNOWN.includes(answer.body.code ?? '') ? undefined : answer;
  } catch (finding) {
    // The gateway may be away; but a request without an answer for the client's whole timeout is a finding.
    const isAway = finding instanceof UnansweredRequest && finding.reason !== TIMED_OUT;
    return isAway ? undefined : { finding };
  }
}

/** An error to report, not to retry. */
interface Finding {
  finding: unknown;
}

const isPrinted = (units: bigint, text: string) => BigInt(text.replace('.', '')) === units;
