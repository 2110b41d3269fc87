import type { SubmitEvent } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { Refusal } from '../api/refusal';
import { ActButton } from '../forms/act-button';
import { toBase64 } from '../proof/bytes';
import type { CheckedGrowth } from '../proof/check-consistency';
import { eventsText } from '../proof/events-text';
import { Finding } from '../proof/finding';
import { TrustedKeyField, trustedKeyOf, useTrustedKey } from '../proof/trusted-key';
import { useCheck } from '../proof/use-check';
import { Moment } from '../times/moment';
import { utcText } from '../times/times';

type Checkpoint = Schema<'SignedCheckpoint'>;

/** Whether the log has only grown between two checkpoints, checked here: the code for it is loaded when it is asked for. */
export function GrowthCard({ shard, chosen }: { shard: number; chosen: readonly Checkpoint[] }) {
  const key = useTrustedKey();
  const bySize = [...chosen].sort((one, other) => one.size - other.size);
  const [older, newer] = bySize;
  const check = useCheck({ shard, older, newer, keyText: key.text }, checked);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    key.keep();
    check.start();
  };
  return (
    <section className="card">
      <h2>Has the log only grown?</h2>
      <form className="stack tight" onSubmit={submit}>
        <p className="quiet">
          Choose two checkpoints. Your browser checks that the log of the older one is the beginning of the newer one’s:
          that no event was changed, removed or moved in between.
        </p>
        <TrustedKeyField {...key} />
        {bySize.length === 0 ? null : (
          <ul className="stack tight" aria-label="Chosen">
            {bySize.map(({ size, created_at: at, checkpoint }) => (
              <li key={checkpoint}>
                {eventsText(size)}, signed <Moment at={at} style="second" />
              </li>
            ))}
          </ul>
        )}
        <p className="actions">
          <ActButton type="submit" isBusy={check.isChecking} disabled={older === undefined || newer === undefined}>
            {check.isChecking ? 'Checking…' : 'Check both'}
          </ActButton>
          <span className="quiet">{chosen.length} of 2 chosen</span>
        </p>
        <div aria-live="polite">
          {check.error === null ? null : <p className="notice bad">{reasonOf(check.error)}</p>}
          {check.found === undefined ? null : <Verdict {...check.found} />}
        </div>
      </form>
    </section>
  );
}

interface Asked extends Record<string, unknown> {
  shard: number;
  older: Checkpoint | undefined;
  newer: Checkpoint | undefined;
  keyText: string;
}

async function checked({ shard, older, newer, keyText }: Asked): Promise<CheckedGrowth> {
  if (older === undefined || newer === undefined) throw new Error('two checkpoints have to be chosen.');
  const params = { path: { shard }, query: { from: older.size, to: newer.size } };
  const [{ checkConsistency }, { readCheckpoint }, key, { data }] = await Promise.all([
    import('../proof/check-consistency'),
    import('../proof/signed-checkpoint'),
    trustedKeyOf(keyText),
    answered(backOffice.GET('/api/audit/shards/{shard}/consistency', { params })),
  ]);
  for (const { size, root, checkpoint } of [older, newer]) {
    const signed = readCheckpoint(checkpoint);
    if (signed === undefined || signed.size !== size || toBase64(signed.root) !== root)
      throw new Error(`what was signed is not what the line of ${eventsText(size)} shows.`);
  }
  const growth = await checkConsistency(older.checkpoint, data, key);
  // Of the same size there may be another log: what was signed has to be the same.
  if (growth.new.text !== readCheckpoint(newer.checkpoint)?.text)
    throw new Error('the proof is for another checkpoint than the newer one chosen.');
  return growth;
}

const reasonOf = (error: Error): string =>
  error instanceof Refusal ? error.message : `This proves nothing: ${error.message}`;

function Verdict({ old, new: grown, isSignatureChecked }: CheckedGrowth) {
  return (
    <ul className="verdict">
      <Finding good={isSignatureChecked}>
        {isSignatureChecked
          ? 'Both checkpoints are signed with your key'
          : 'The signatures were not checked: give the public key'}
      </Finding>
      <Finding good>
        The {eventsText(old.size)} of {utcText(old.time)} {old.size === 1 ? 'is' : 'are'} the first of the{' '}
        {grown.size.toLocaleString('en')} of {utcText(grown.time)}, unchanged
      </Finding>
    </ul>
  );
}
