import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useId, useRef } from 'react';
import { Amount } from '../amounts/amount';
import { answered, backOffice, type Transaction } from '../api/client';
import { formText } from '../forms/form-text';
import { approvalResponse, withStepUp } from '../session/passkeys';
import { sessionQuestion } from '../session/questions';
import { Empty, Failure, Loading } from '../shell/states';
import { FullMoment } from '../times/moment';
import { NETWORK_WORDS } from '../transactions/words';

/** The newest of them: who has more waiting decides these first. */
const SHOWN_MAX = 100;

const approvalsQuestion = queryOptions({
  queryKey: ['approvals'],
  queryFn: () => answered(backOffice.GET('/api/approvals', { params: { query: { limit: String(SHOWN_MAX) } } })),
});

export function ApprovalsPage() {
  const { data, error, refetch } = useQuery(approvalsQuestion);
  return (
    <>
      <header className="page-header">
        <h1>Approvals</h1>
      </header>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="payouts that wait" />
      ) : data.data.length === 0 ? (
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
      )}
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
  const failed = approve.error ?? reject.error;
  const isBusy = approve.isPending || reject.isPending;
  return (
    <>
      {failed === null ? null : (
        <p className="notice bad" role="alert">
          {failed.message}
        </p>
      )}
      <div className="actions">
        {isApproved ? (
          <p className="notice good">You approved it: it waits for somebody else.</p>
        ) : passkeys === 0 ? (
          <Link to="/account" className="button primary">
            Add a passkey to approve
          </Link>
        ) : (
          <button
            type="button"
            className="button primary"
            disabled={isBusy || hash === null}
            onClick={() => hash !== null && approve.mutate(hash)}
          >
            {approve.isPending ? 'Waiting for your passkey…' : 'Approve with a passkey'}
          </button>
        )}
        <RejectDialog
          isBusy={isBusy}
          what={`the payout to ${recipientOf(payout)}`}
          reject={(reason) => reject.mutate(reason)}
        />
      </div>
    </>
  );
}

const recipientOf = ({ withdrawal_recipient_name: name, address, bank_account }: Transaction) =>
  name ?? address ?? bank_account ?? 'an unnamed recipient';

/** Everything that leaves, in full: what an approver is answerable for is not cut off. */
function Sent({ payout }: { payout: Transaction }) {
  const { bank_name: bank, bank_code: code, network, fee, asset_code: currency, approval_expires_at: expires } = payout;
  return (
    <>
      <Line name="Amount">
        <Amount amount={payout.amount} currency={currency} />
      </Line>
      <Line name="Fee">{fee === null ? 'None' : <Amount amount={fee} currency={currency} />}</Line>
      <Line name="Recipient">{payout.withdrawal_recipient_name}</Line>
      <Line name="Bank">{[bank, code].filter(Boolean).join(', ')}</Line>
      <Line name="Account">{payout.bank_account}</Line>
      <Line name="Country">{payout.recipient_country}</Line>
      <Line name="Network">{network === null ? null : (NETWORK_WORDS[network] ?? network)}</Line>
      <Line name="Address">{payout.address === null ? null : <code>{payout.address}</code>}</Line>
      <Line name="What for">{payout.reason}</Line>
      <Line name="Asked for">
        <FullMoment at={payout.created_at} />
      </Line>
      <Line name="Approvals">
        {payout.approvals_required === null ? null : `${payout.approvals?.length ?? 0} of ${payout.approvals_required}`}
      </Line>
      <Line name="Fails by itself">{expires === null ? null : <FullMoment at={expires} />}</Line>
    </>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function RejectDialog({ what, isBusy, reject }: { what: string; isBusy: boolean; reject: (reason: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    reject(formText(event.currentTarget, 'reason'));
    dialog.current?.close();
  };
  return (
    <>
      <button type="button" className="button danger" disabled={isBusy} onClick={() => dialog.current?.showModal()}>
        Reject…
      </button>
      <dialog ref={dialog} className="modal" aria-labelledby={title}>
        <form className="stack" onSubmit={submit}>
          <h2 id={title}>Reject {what}?</h2>
          <p className="quiet">The money goes back to the wallet that it was to leave. This can’t be undone.</p>
          <label className="field">
            <span>Reason</span>
            <input name="reason" type="text" required maxLength={200} />
          </label>
          <div className="actions">
            <button type="submit" className="button danger">
              Reject the payout
            </button>
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Leave it
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
