import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { Amount } from '../amounts/amount';
import { answered, backOffice, type Transaction } from '../api/client';
import { ActButton } from '../forms/act-button';
import { lastError } from '../forms/last-error';
import { ReasonDialog } from '../forms/reason-dialog';
import { approvalResponse, withStepUp } from '../session/passkeys';
import { sessionQuestion } from '../session/questions';
import { Fact } from '../shell/fact';
import { Answered, Empty, Refused } from '../shell/states';
import { useFocusKept } from '../shell/use-focus-kept';
import { FullMoment } from '../times/moment';
import { Destination, recipientOf } from '../transactions/destination';

/** The newest of them: who has more waiting decides these first. */
const SHOWN_MAX = 100;

const approvalsQuestion = queryOptions({
  queryKey: ['approvals'],
  queryFn: () => answered(backOffice.GET('/api/approvals', { params: { query: { limit: String(SHOWN_MAX) } } })),
});

export function ApprovalsPage() {
  const answer = useQuery(approvalsQuestion);
  const heading = useFocusKept(answer.data?.data.length ?? 0);
  return (
    <>
      <header className="page-header">
        <h1 ref={heading} tabIndex={-1}>
          Approvals
        </h1>
      </header>
      <Answered to={answer} what="payouts that wait">
        {(data) =>
          data.data.length === 0 ? (
            <Empty title="Nothing waits for an approval">
              <p>A payout that your policy wants a second person to look at appears here by itself.</p>
              <Link to="/transactions" search={{ transaction_type: 'PAYOUT' }} className="button">
                Look at all payouts
              </Link>
            </Empty>
          ) : (
            <>
              {data.pagination.total > SHOWN_MAX ? (
                <p className="notice approvals-way">
                  The newest {SHOWN_MAX} of {data.pagination.total.toLocaleString('en')}.
                </p>
              ) : null}
              <ul className="stack">
                {data.data.map((payout) => (
                  <li key={payout.transaction_id}>
                    <Waiting payout={payout} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Answered>
    </>
  );
}

function Waiting({ payout }: { payout: Transaction }) {
  const title = useId();
  const { transaction_id: id, approval_hash: hash } = payout;
  return (
    <article className="card approval" aria-labelledby={title}>
      <header className="page-header">
        <h2 id={title}>
          <Amount amount={payout.amount} currency={payout.asset_code} /> to {recipientOf(payout)}
        </h2>
        <Link to="/transactions/$transactionId" params={{ transactionId: id }}>
          <code>{id}</code>
        </Link>
      </header>
      <dl className="facts two">
        <Sent payout={payout} />
      </dl>
      {hash === null ? null : (
        <p className="hash">
          <span className="quiet">An approval is of this hash, and of nothing else:</span>
          <code>{hash}</code>
        </p>
      )}
      <Decision payout={payout} />
    </article>
  );
}

function Decision({ payout }: { payout: Transaction }) {
  const client = useQueryClient();
  const { passkeys, member_id: memberId } = useSuspenseQuery(sessionQuestion).data;
  const { transaction_id: id, approval_hash: hash } = payout;
  const isApproved = payout.approvals?.some(({ api_key_id: signer }) => signer === memberId) === true;
  const path = { params: { path: { transaction_id: id } } };
  const onSuccess = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['approvals'] }),
      client.invalidateQueries({ queryKey: ['transactions'] }),
      client.invalidateQueries({ queryKey: ['transaction', id] }),
    ]);
  const approve = useMutation({
    mutationFn: async (approvalHash: string) => {
      const response = await approvalResponse(id, approvalHash);
      const body = { approval_hash: approvalHash, response };
      await backOffice.POST('/api/payouts/{transaction_id}/approve', { ...path, body });
    },
    onSuccess,
  });
  const reject = useMutation({
    mutationFn: (reason: string) =>
      withStepUp(() => backOffice.POST('/api/payouts/{transaction_id}/reject', { ...path, body: { reason } })),
    onSuccess,
  });
  const failed = lastError(approve, reject);
  const isBusy = approve.isPending || reject.isPending;
  return (
    <>
      <Refused error={failed} />
      <div className="actions">
        {isApproved ? (
          <p className="notice good">You approved it: it waits for somebody else.</p>
        ) : passkeys === 0 ? (
          <Link to="/account" className="button primary">
            Add a passkey to approve
          </Link>
        ) : (
          <ActButton
            type="button"
            className="button primary"
            isBusy={isBusy}
            disabled={hash === null}
            onClick={() => hash !== null && approve.mutate(hash)}
          >
            {approve.isPending ? 'Waiting for your passkey…' : 'Approve with a passkey'}
          </ActButton>
        )}
        <ReasonDialog
          what="Reject…"
          title={`Reject the payout to ${recipientOf(payout)}?`}
          note="The money goes back to the wallet that it was to leave. This can’t be undone."
          asks="Reason"
          confirm="Reject the payout"
          isDanger
          isBusy={isBusy}
          act={(reason, done) => reject.mutate(reason, { onSuccess: done })}
        />
      </div>
    </>
  );
}

/** Everything that leaves, in full: what an approver is answerable for is not cut off. */
function Sent({ payout }: { payout: Transaction }) {
  const { fee, asset_code: currency, approval_expires_at: expires } = payout;
  return (
    <>
      <Fact name="Amount">
        <Amount amount={payout.amount} currency={currency} />
      </Fact>
      <Fact name="Fee">{fee === null ? 'None' : <Amount amount={fee} currency={currency} />}</Fact>
      <Destination of={payout} />
      <Fact name="What for">{payout.reason}</Fact>
      <Fact name="Asked for">
        <FullMoment at={payout.created_at} />
      </Fact>
      <Fact name="Approvals">
        {payout.approvals_required === null ? null : `${payout.approvals?.length ?? 0} of ${payout.approvals_required}`}
      </Fact>
      <Fact name="Fails by itself">{expires === null ? null : <FullMoment at={expires} />}</Fact>
    </>
  );
}
