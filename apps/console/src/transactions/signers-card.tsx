import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../api/client';
import { Fact } from '../shell/fact';
import { Answered } from '../shell/states';
import { Moment } from '../times/moment';
import { signersQuestion } from './questions';

/** Who asked for a payout and who approved it, by name where the person may see it. */
export function SignersCard({ transactionId }: { transactionId: string }) {
  const answer = useQuery(signersQuestion(transactionId));
  return (
    <section className="card">
      <h2>Approvals</h2>
      <Answered to={answer} what="the approvals">
        {(data) => (
          <dl className="facts">
            <Fact name="Asked for by">{data.created_by && <SignerName signer={data.created_by} />}</Fact>
            {data.approvals.length === 0 ? (
              <Fact name="Approved by">
                <span className="quiet">No approval yet</span>
              </Fact>
            ) : null}
            {data.approvals.map((approval) => (
              <Fact key={approval.id} name="Approved by">
                <SignerName signer={approval} />{' '}
                <span className="quiet">
                  <Moment at={approval.approved_at} />
                </span>
              </Fact>
            ))}
          </dl>
        )}
      </Answered>
    </section>
  );
}

function SignerName({ signer: { kind, id, name, is_you: isYou } }: { signer: Schema<'Signer'> }) {
  if (isYou) return 'You';
  if (kind === 'person') return name ?? 'A member of your team';
  return <>API key {name === null ? <code>{id}</code> : name}</>;
}
