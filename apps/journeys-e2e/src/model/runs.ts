/**
 * Runs sequences against a stack, several at a time, each with its own merchant and its own seed. The first sequence
 * that disagrees with the model ends the run: it is run once more alone, shrunk, and described in words.
 */
import fc from 'fast-check';
import type { TestStack } from '@stablecoin/testing/stack';
import { Currency } from './amounts';
import { sequences } from './commands/all';
import { compareEverything } from './commands/lists';
import { Merchants } from './merchants-of-sequences';
import { Model, PriceOf } from './model';
import { newOtherMerchant, OtherMerchant } from './other-merchant';
import { TraceLine, World } from './world';

export interface Plan {
  stack: TestStack;
  count: number;
  seed: number;
  atOnce: number;
  /** Ends a process of the stack: with it, sequences restart services. */
  strike?: World['strike'];
  /** Receives the progress every half minute. */
  tell?: (report: Report) => void;
}

export interface Report {
  sequences: number;
  commands: number;
  dryRuns: number;
  /** How often requests ended how, such as `422 insufficient_funds`. */
  endings: Map<string, number>;
  /** The counter-example in words, if there is one. */
  found: string | undefined;
}

interface Run {
  trace: TraceLine[];
  dryRuns: number;
  error: unknown;
}

const SHRINK_FOR_MS = 120_000;
const TELL_EVERY_MS = 30_000;
const CURRENCIES: Currency[] = ['USDT', 'USDC', 'USD', 'NGN', 'EUR'];

export async function runSequences(plan: Plan): Promise<Report> {
  const ground = await Ground.prepare(plan);
  const report: Report = { sequences: 0, commands: 0, dryRuns: 0, endings: new Map(), found: undefined };
  const failed: { seed: number; run: Run }[] = [];
  let next = plan.seed;
  const worker = async () => {
    while (next < plan.seed + plan.count && failed.length === 0) {
      const seed = next;
      next += 1;
      const run = await ground.once(seed);
      count(report, run);
      if (run.error !== undefined) failed.push({ seed, run });
    }
  };
  const telling = setInterval(() => plan.tell?.(report), TELL_EVERY_MS);
  await Promise.all(Array.from({ length: plan.atOnce }, worker)).finally(() => clearInterval(telling));
  failed.sort((one, other) => one.run.trace.length - other.run.trace.length);
  const [first] = failed;
  if (first) report.found = told(first.seed, first.run, await ground.shrunk(first.seed));
  else report.found = await ground.complaint();
  return report;
}

/** What all sequences of a run share: the prices, and another merchant that none of them may touch. */
class Ground {
  private constructor(
    private readonly plan: Plan,
    private readonly merchants: Merchants,
    private readonly otherMerchant: OtherMerchant,
    private readonly otherMerchantHad: string,
    private readonly priceOf: PriceOf,
  ) {}

  static async prepare(plan: Plan): Promise<Ground> {
    const merchants = new Merchants(plan.stack);
    const { client } = await merchants.next(0);
    const otherMerchant = await newOtherMerchant(client);
    const prices = new Map<string, string>();
    for (const from_currency of CURRENCIES) {
      for (const to_currency of CURRENCIES.filter((each) => each !== from_currency)) {
        const quote = { from_currency, to_currency, amount: '1000000' };
        const { quoted_price } = await client.sdk.quotes.create(quote);
        prices.set(`${from_currency}/${to_currency}`, quoted_price);
      }
    }
    const priceOf: PriceOf = (from, to) => prices.get(`${from}/${to}`) ?? '0';
    return new Ground(plan, merchants, otherMerchant, await otherMerchant.everything(), priceOf);
  }

  /** One sequence as its seed decides it. */
  async once(seed: number): Promise<Run> {
    const runs: Run[] = [];
    await this.check(seed, runs, { endOnFailure: true });
    return runs[0] ?? { trace: [], dryRuns: 0, error: new Error('no sequence was drawn') };
  }

  /** The shortest part of the sequence that still disagrees; undefined when it agrees this time. */
  async shrunk(seed: number): Promise<Run | undefined> {
    const runs: Run[] = [];
    await this.check(seed, runs, { endOnFailure: false, interruptAfterTimeLimit: SHRINK_FOR_MS });
    return runs.filter(({ error }) => error !== undefined).at(-1);
  }

  /** The sequences may not have changed anything of the other merchant's. */
  async complaint(): Promise<string | undefined> {
    const now = await this.otherMerchant.everything();
    return now === this.otherMerchantHad
      ? undefined
      : `Another merchant had\n${this.otherMerchantHad}\nand now has\n${now}`;
  }

  private async check(seed: number, runs: Run[], options: fc.Parameters<unknown>): Promise<void> {
    const property = fc.asyncProperty(sequences(this.plan.strike !== undefined), async (commands) => {
      const { client, merchantId, feeSchedule, policy, approver } = await this.merchants.next(seed);
      const model = new Model(feeSchedule, this.priceOf, policy);
      const isPatient = this.plan.strike !== undefined;
      const world = new World(client, merchantId, this.otherMerchant, isPatient, this.plan.strike, approver);
      const run: Run = { trace: world.trace, dryRuns: 0, error: undefined };
      runs.push(run);
      try {
        await fc.asyncModelRun(() => ({ model, real: world }), commands);
        await compareEverything(model, world);
      } catch (error) {
        run.error = error;
        throw error;
      } finally {
        run.dryRuns = world.dryRuns;
      }
    });
    // One run of fast-check to a seed, without the bias of its first runs to what is small.
    await fc.check(property, { seed, numRuns: 1, unbiased: true, ...options });
  }
}

function count(report: Report, { trace, dryRuns }: Run): void {
  report.sequences += 1;
  report.commands += trace.length;
  report.dryRuns += dryRuns;
  for (const { ended } of trace) {
    const [, ending = 'other'] = /(?:^|, |\| )(\d{3}(?: [a-z_]+)?)\b/.exec(ended) ?? [];
    report.endings.set(ending, (report.endings.get(ending) ?? 0) + 1);
  }
}

/** The counter-example: one line per command, and what came of the last one. */
function told(seed: number, whole: Run, shrunk: Run | undefined): string {
  const { trace, error } = shrunk ?? whole;
  const width = Math.max(...trace.map(({ words }) => words.length));
  const lines = trace.map(({ words, ended }, index) => {
    return `${String(index + 1).padStart(4)}. ${words.padEnd(width)}  → ${ended}`;
  });
  const from = shrunk
    ? `, shrunk from ${whole.trace.length} commands`
    : '; it was not found again when it was run alone';
  return [
    `The service and its model disagree. Sequence ${seed}${from}:`,
    ...lines,
    ...String((error as Error).message)
      .split('\n')
      .map((line) => `      ${line}`),
    `Again: npm run test:model -- --sequences 1 --seed ${seed}`,
  ].join('\n');
}
