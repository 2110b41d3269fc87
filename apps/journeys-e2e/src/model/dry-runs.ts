/** Compares the answer of a dry run with that of the same request that followed it at once. */
import { Answer } from '../client';
import { Disagreement, sameFields, sameList } from './disagreement';

type Shown = Readonly<Record<string, unknown>>;

/** What a transaction has only once it is recorded. */
const RECORDED = ['id', 'transaction_id', 'reference_id', 'created_at', 'updated_at', 'approval_hash'];
/** What is of the moment: a dry run is a little earlier. */
const OF_THE_MOMENT = ['approval_expires_at'];

export function sameVerdict(tried: Answer<unknown>, came: Answer<unknown>): void {
  if (tried.headers.get('idempotency-replayed') !== null) throw new Disagreement('a new answer', 'a stored one');
  sameFields('the dry run', refusalIn(came), refusalIn(tried));
  if (came.status >= 300) return;
  const [expected, shown] = [asDryRun(came.body.data as Shown), tried.body.data as Shown];
  const lasting = Object.entries(expected).filter(([name]) => !OF_THE_MOMENT.includes(name));
  sameFields('the dry run', Object.fromEntries(lasting), shown);
  sameList('the fields of the dry run', Object.keys(expected).sort(), Object.keys(shown).sort());
}

const refusalIn = ({ status, body: { code, errors } }: Answer<unknown>) => ({ status, code, errors });

/** The answer as its dry run should have been. */
export function asDryRun(data: Shown): Shown {
  const { debitTransaction, creditTransaction } = data;
  if (!debitTransaction) return { ...unrecorded(data), dry_run: true };
  const both = { debitTransaction: unrecorded(debitTransaction), creditTransaction: unrecorded(creditTransaction) };
  return { ...data, ...both, dry_run: true };
}

const unrecorded = (transaction: unknown): Shown =>
  Object.fromEntries(
    Object.entries(transaction as Shown).map(([name, value]) => [name, RECORDED.includes(name) ? null : value]),
  );
