/**
 * The process of the floor's swaps: a quote is a row; executing one claims it, has the ledger move the money, and closes
 * it, each for as many as have come.
 */
import { randomUUID } from 'node:crypto';
import { Batches } from './batches';
import { committed } from './copied-rows';
import { type LedgerCommand, type LedgerReply, MERCHANT } from './ledger';
import { textOfUnits } from './money';
import { openDatabase, quoted, serves, startFloorProcess, timeOrderedId, valuesOf } from './process';

const SCHEMA = `
  CREATE TABLE quotes (
    id uuid PRIMARY KEY, merchant_id uuid NOT NULL, owner_id uuid NOT NULL, from_currency text NOT NULL, to_currency text NOT NULL,
    from_amount numeric(38, 8) NOT NULL, to_amount numeric(38, 8) NOT NULL, price numeric(30, 12) NOT NULL,
    state text NOT NULL, claimed_by uuid, priced_at timestamptz NOT NULL, expires_at timestamptz NOT NULL
  );
  CREATE INDEX ON quotes (owner_id, from_currency, to_currency, from_amount, priced_at);
  CREATE TABLE command_results (
    command_id uuid PRIMARY KEY, merchant_id uuid NOT NULL, input_hash text NOT NULL, result text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE inbox (
    consumer text, position bigint, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, position)
  );`;
const CONSUMER = 'swap';
const PRICE = 1_550n;
const GOOD_FOR_MS = 60_000;

interface Ask {
  from: string;
  to: string;
  units: string;
}
interface Quote extends Ask {
  id: string;
  receivedUnits: string;
  expiresAt: number;
}
interface Execution extends Ask {
  quote_id: string;
}

async function main(): Promise<void> {
  const { bus, writes } = await startFloorProcess(SCHEMA);
  const [quoting, listening] = await Promise.all([openDatabase(), openDatabase()]);
  const open = new Map<string, Quote>();

  const quotes = new Batches<Ask, Record<string, unknown>>(async (asks) => {
    const now = Date.now();
    const [pricedAt, expiresAt] = [now, now + GOOD_FOR_MS].map((time) => new Date(time).toISOString());
    const made = asks.map(({ from, to, units }): Quote => {
      const receivedUnits = String(BigInt(units) * PRICE);
      return { id: timeOrderedId(), from, to, units, receivedUnits, expiresAt: now + GOOD_FOR_MS };
    });
    const views = made.map(({ id, from, to, units, receivedUnits }) => ({
      ...{ id, from_currency: from, to_currency: to, from_amount: textOfUnits(BigInt(units)) },
      ...{ to_amount: textOfUnits(BigInt(receivedUnits)), price: String(PRICE), expires_at: expiresAt },
    }));
    await committed(
      quoting,
      [
        {
          into: `quotes (id, merchant_id, owner_id, from_currency, to_currency, from_amount, to_amount, price, state,
            priced_at, expires_at)`,
          rows: views.map((view) => [
            ...[view.id, MERCHANT, MERCHANT, view.from_currency, view.to_currency, view.from_amount, view.to_amount],
            ...[view.price, 'open', pricedAt as string, expiresAt as string],
          ]),
        },
        resultsOf(views),
      ],
      [],
    );
    made.forEach((quote) => open.set(quote.id, quote));
    return views;
  });

  const swaps = new Batches<Execution, LedgerReply>(async (executions) => {
    const claimed = executions.map((execution) => claim(open, execution));
    const commands = claimed.flatMap((quote): LedgerCommand[] => {
      if (quote === undefined) return [];
      const { id, from, to, units, receivedUnits } = quote;
      return [{ kind: 'swap', from, to, units, receivedUnits, command_id: randomUUID(), input_hash: id }];
    });
    if (commands.length === 0) return executions.map(() => ({ refused: 'quote_used' }));
    const ids = valuesOf(
      claimed.flatMap((quote) => (quote ? [[`${quoted(quote.id)}::uuid`, `${quoted(randomUUID())}::uuid`]] : [])),
    );
    await writes.query(
      `UPDATE quotes SET state = 'claimed', claimed_by = claim.command FROM (VALUES ${ids}) AS claim (id, command)
       WHERE quotes.id = claim.id`,
    );
    const replies = await bus.command<LedgerReply[]>('floor.ledger.do-all', commands);
    await committed(
      writes,
      [resultsOf(replies)],
      [`UPDATE quotes SET state = 'used' FROM (VALUES ${ids}) AS claim (id, command) WHERE quotes.id = claim.id`],
    );
    return claimed.map((quote) => (quote === undefined ? { refused: 'quote_used' } : (replies.shift() as LedgerReply)));
  });

  bus.answer('floor.swap.quote', (ask: Ask) => quotes.do(ask));
  bus.answer('floor.swap.execute', (execution: Execution) => swaps.do(execution));
  await bus.consume(CONSUMER, (facts) => {
    const rows = facts
      .filter(({ kind }) => kind === 'swap-completed')
      .map(({ position }) => [CONSUMER, position] as const);
    return committed(listening, [{ into: 'inbox (consumer, position)', rows }], []);
  });
  serves();
}

/** A quote is used once, and only for what it was made for. */
function claim(open: Map<string, Quote>, { quote_id, from, to, units }: Execution): Quote | undefined {
  const quote = open.get(quote_id);
  if (quote === undefined || quote.expiresAt < Date.now()) return undefined;
  if (quote.from !== from || quote.to !== to || quote.units !== units) return undefined;
  open.delete(quote_id);
  return quote;
}

const resultsOf = (results: readonly object[]) => ({
  into: 'command_results (command_id, merchant_id, input_hash, result)',
  rows: results.map((result) => [randomUUID(), MERCHANT, 'hash', JSON.stringify(result)] as const),
});

void main();
