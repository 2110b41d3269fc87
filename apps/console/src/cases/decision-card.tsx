import { useMutation, useQueryClient } from '@tanstack/react-query';
import { backOffice, type Schema } from '../api/client';
import { lastError } from '../forms/last-error';
import { ReasonDialog } from '../forms/reason-dialog';
import { withStepUp } from '../session/passkeys';
import { Refused } from '../shell/states';

type Decision = 'approved' | 'rejected' | 'under_review';
const DECISIONS: readonly { status: Decision; what: string; title: string; confirm: string }[] = [
  { status: 'approved', what: 'Approve…', title: 'Approve this customer?', confirm: 'Approve the customer' },
  { status: 'rejected', what: 'Reject…', title: 'Reject this customer?', confirm: 'Reject the customer' },
  { status: 'under_review', what: 'Review again…', title: 'Put it back to review?', confirm: 'Put it back' },
];
const NOTE =
  'Your decision and its reason go on the record, and the merchant hears of the decision. Name the case, and no person.';

/** What a compliance officer decides, each time by the passkey. */
export function DecisionCard({ one: { customer_id, kyc_status, status } }: { one: Schema<'Case'> }) {
  const client = useQueryClient();
  const params = { path: { customer_id } };
  const onSuccess = () => client.invalidateQueries({ queryKey: ['cases'] });
  const decide = useMutation({
    mutationFn: (body: { kyc_status: Decision; reason: string }) =>
      withStepUp(() => backOffice.POST('/api/cases/{customer_id}/decision', { params, body })),
    onSuccess,
  });
  const erase = useMutation({
    mutationFn: (reason: string) => {
      const body = { reason, confirmed_customer_id: customer_id };
      return withStepUp(() => backOffice.POST('/api/cases/{customer_id}/erasure', { params, body }));
    },
    onSuccess,
  });
  const failed = lastError(decide, erase);
  const isBusy = decide.isPending || erase.isPending;
  return (
    <section className="card">
      <h2>Decision</h2>
      <div className="actions">
        {DECISIONS.filter((decision) => decision.status !== kyc_status).map(({ status: decided, ...words }) => (
          <ReasonDialog
            key={decided}
            {...words}
            note={NOTE}
            isDanger={decided === 'rejected'}
            isBusy={isBusy}
            act={(reason, done) => decide.mutate({ kyc_status: decided, reason }, { onSuccess: done })}
          />
        ))}
        {status === 'closed' ? (
          <ReasonDialog
            what="Erase…"
            title="Erase this customer’s personal data?"
            note="Names, addresses and documents become unreadable for good, also in backups. There is no way back."
            confirm="Erase for good"
            isDanger
            isBusy={isBusy}
            typed={{ what: 'The customer’s id, to be sure', expected: customer_id }}
            act={(reason, done) => erase.mutate(reason, { onSuccess: done })}
          />
        ) : (
          <p className="quiet">Its personal data can be erased once its merchant has closed it.</p>
        )}
      </div>
      <Refused error={failed} />
    </section>
  );
}
