import { useMutation, useQueryClient } from '@tanstack/react-query';
import { backOffice, type Schema } from '../api/client';
import { formText } from '../forms/form-text';
import { ReasonDialog } from '../forms/reason-dialog';
import { withStepUp } from '../session/passkeys';
import { NETWORK_WORDS } from '../transactions/words';
import { treasuryQuestion } from './questions';

const NOTE =
  'Deposits that were missed are recorded; what is known stays as it is. It takes the nodes about two questions a ' +
  'block, beside the new ones. Your reason goes on the record: name the case, and no person.';

/** Has blocks looked at again for deposits, from one that was walked. */
export function Rescan({ network, tip }: { network: Schema<'NetworkHoldings'>['status']['network']; tip: number }) {
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: (body: { network: string; from_block: number; reason: string }) =>
      withStepUp(() => backOffice.POST('/api/treasury/rescan', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: treasuryQuestion.queryKey, exact: true }),
  });
  const name = NETWORK_WORDS[network] ?? network;
  return (
    <>
      <div className="actions">
        <ReasonDialog
          what="Rescan…"
          label={`Rescan ${name}…`}
          title={`Look at blocks of ${name} again?`}
          note={NOTE}
          confirm="Look again"
          isBusy={ask.isPending}
          fields={
            <label className="field">
              <span>From block, at most {tip}</span>
              <input name="from_block" type="number" required min={0} max={tip} step={1} autoComplete="off" />
            </label>
          }
          act={(reason, done, form) => {
            const from_block = Number(formText(form, 'from_block'));
            ask.mutate({ network, reason, from_block }, { onSuccess: done });
          }}
        />
      </div>
      <div aria-live="polite">
        {ask.isError ? <p className="notice bad">{ask.error.message}</p> : null}
        {ask.isSuccess ? <p className="notice good">It is asked for: Refresh shows how far it is.</p> : null}
      </div>
    </>
  );
}
