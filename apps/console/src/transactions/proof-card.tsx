import type { SubmitEvent } from 'react';
import { Refusal } from '../api/refusal';
import { answered, backOfficeOf, type Transaction } from '../api/client';
import { ActButton } from '../forms/act-button';
import { useNamedMerchant } from '../merchants/named-merchant';
import { Icon } from '../shell/icon';
import { utcText } from '../times/times';
import { wordFor } from './words';
import type { CheckedProof } from '../proof/check-proof';
import { Finding } from '../proof/finding';
import { TrustedKeyField, trustedKeyOf, useTrustedKey } from '../proof/trusted-key';
import { useCheck } from '../proof/use-check';

/** The proof of a transaction, fetched and checked here: the code for it is loaded when it is asked for. */
export function ProofCard({ transaction }: { transaction: Transaction }) {
  const key = useTrustedKey();
  const merchantId = useNamedMerchant();
  const check = useCheck({ merchantId, transaction, keyText: key.text }, checked);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    key.keep();
    check.start();
  };
  return (
    <section className="card">
      <h2>Proof</h2>
      <form className="stack tight" onSubmit={submit}>
        <p className="quiet">
          Your browser checks that this transaction is in the ledger’s signed log, without asking the ledger whether it
          is right.
        </p>
        <TrustedKeyField {...key} />
        <p className="actions">
          <ActButton type="submit" isBusy={check.isChecking}>
            {check.isChecking ? 'Checking…' : 'Check the proof'}
          </ActButton>
        </p>
        <div aria-live="polite">
          {check.error === null ? null : <p className="notice bad">{reasonOf(check.error)}</p>}
          {check.found === undefined ? null : <Verdict {...check.found} transaction={transaction} />}
        </div>
      </form>
    </section>
  );
}

interface Checked {
  proof: CheckedProof;
  file: string;
}

interface Asked extends Record<string, unknown> {
  merchantId: string | undefined;
  transaction: Transaction;
  keyText: string;
}

async function checked({ merchantId, transaction: { transaction_id }, keyText }: Asked): Promise<Checked> {
  const params = { path: { transaction_id } };
  const [{ checkProof }, key, { data }] = await Promise.all([
    import('../proof/check-proof'),
    trustedKeyOf(keyText),
    answered(backOfficeOf(merchantId).GET('/api/transactions/{transaction_id}/proof', { params })),
  ]);
  return { proof: await checkProof(data, key), file: JSON.stringify(data, null, 2) };
}

function reasonOf(error: Error): string {
  if (error instanceof Refusal && error.code === 'proof_pending') {
    return 'No signed checkpoint covers it yet. Try again in a minute.';
  }
  return error instanceof Refusal ? error.message : `This proves nothing: ${error.message}`;
}

function Verdict({ proof, file, transaction }: Checked & { transaction: Transaction }) {
  const { checkpoint, isSignatureChecked, opening, statuses, events } = proof;
  const status = statuses.at(-1)?.status ?? '';
  const isSame = opening.amount === transaction.amount && opening.currency === transaction.asset_code;
  return (
    <>
      <ul className="verdict">
        <Finding good={isSignatureChecked}>
          {isSignatureChecked
            ? `The checkpoint of ${utcText(checkpoint.time)} is signed with your key`
            : 'The signature was not checked: give the public key'}
        </Finding>
        <Finding good>
          {events.length} events are in the log of {checkpoint.size.toLocaleString('en')}
        </Finding>
        <Finding good>Debits equal credits in every step</Finding>
        <Finding good>Status: {statuses.map((step) => wordFor(step.status)).join(', then ')}</Finding>
        <Finding good={isSame && status === transaction.status}>
          {isSame && status === transaction.status
            ? 'Amount, currency and status are those shown on this page'
            : 'This page shows another amount or status: load it again'}
        </Finding>
      </ul>
      <a
        className="button small"
        href={`data:application/json,${encodeURIComponent(file)}`}
        download={`proof-${transaction.transaction_id}.json`}
      >
        <Icon name="download" />
        Keep the proof
      </a>
    </>
  );
}
