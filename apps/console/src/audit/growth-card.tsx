import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { Refusal } from '../api/refusal';
import type { CheckedGrowth } from '../proof/check-consistency';
import { Finding } from '../proof/finding';
import { TrustedKeyField, trustedKeyOf, useTrustedKey } from '../proof/trusted-key';
import { utcText } from '../times/times';

type Checkpoint = Schema<'SignedCheckpoint'>;

/** Whether the log has only grown between two checkpoints, checked here: the code for it is loaded when it is asked for. */
export function GrowthCard({ shard, chosen }: { shard: number; chosen: readonly Checkpoint[] }) {
  const key = useTrustedKey();
  const check = useMutation({
    mutationFn: (pair: readonly [Checkpoint, Checkpoint]) => checked(shard, pair, key.text),
  });
  const [older, newer] = [...chosen].sort((one, other) => one.size - other.size);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    key.keep();
    if (older && newer) check.mutate([older, newer]);
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
        <p className="actions">
          <button
            type="submit"
            className="button"
            disabled={check.isPending || older === undefined || newer === undefined}
          >
            {check.isPending ? 'Checking…' : 'Check both'}
          </button>
          <span className="quiet">{chosen.length} of 2 chosen</span>
        </p>
        <div aria-live="polite">
          {check.isError ? <p className="notice bad">{reasonOf(check.error)}</p> : null}
          {check.isSuccess ? <Verdict {...check.data} /> : null}
        </div>
      </form>
    </section>
  );
}

async function checked(shard: number, [older, newer]: readonly [Checkpoint, Checkpoint], keyText: string) {
  const params = { path: { shard }, query: { from: older.size, to: newer.size } };
  const [{ checkConsistency }, key, { data }] = await Promise.all([
    import('../proof/check-consistency'),
    trustedKeyOf(keyText),
    answered(backOffice.GET('/api/audit/shards/{shard}/consistency', { params })),
  ]);
  const growth = await checkConsistency(older.checkpoint, data, key);
  if (growth.new.size !== newer.size) throw new Error('the proof is for another checkpoint than the newer one chosen.');
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
        The {old.size.toLocaleString('en')} events of {utcText(old.time)} are the first of the{' '}
        {grown.size.toLocaleString('en')} of {utcText(grown.time)}, unchanged
      </Finding>
    </ul>
  );
}
