import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../api/client';
import { Failure, Loading } from '../shell/states';
import { Moment } from '../times/moment';
import { signersQuestion } from './questions';

/** Who asked for a payout and who approved it, by name where the person may see it. */
export function SignersCard({ transactionId }: { transactionId: string }) {
  const { data, error, refetch } = useQuery(signersQuestion(transactionId));
  return (
    <section className="card">
      <h2>Approvals</h2>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="the approvals" />
      ) : (
        <dl className="facts">
          {data.created_by === null ? null : (
            <div>
              <dt>Asked for by</dt>
              <dd>
                <SignerName signer={data.created_by} />
              </dd>
            </div>
          )}
          {data.approvals.length === 0 ? (
            <div>
              <dt>Approved by</dt>
              <dd className="quiet">No approval yet</dd>
            </div>
          ) : null}
          {data.approvals.map((approval) => (
            <div key={approval.id}>
              <dt>Approved by</dt>
              <dd>
                <SignerName signer={approval} />{' '}
                <span className="quiet">
                  <Moment at={approval.approved_at} />
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function SignerName({ signer: { kind, id, name, is_you: isYou } }: { signer: Schema<'Signer'> }) {
  if (isYou) return 'You';
  if (kind === 'person') return name ?? 'A member of your team';
  return <>API key {name === null ? <code>{id}</code> : name}</>;
}
