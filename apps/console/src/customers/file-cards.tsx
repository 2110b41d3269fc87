import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { ReasonDialog } from '../forms/reason-dialog';
import { withStepUp } from '../session/passkeys';
import { Answered, Refused } from '../shell/states';
import { Moment } from '../times/moment';
import { KycBadge } from './kyc-badge';
import { readable, sizeText } from './words';

type Document = Schema<'CustomerDocument'>;

/** Whose documents: of a merchant's customer, or of a case that the operator's people have. */
interface Owner {
  customerId: string;
  of: 'customers' | 'cases';
  /** Whether the person may read them. */
  reads: boolean;
}

export function FileCards({ file, owner }: { file: UseQueryResult<Schema<'CustomerFile'>>; owner: Owner }) {
  return (
    <Answered to={file} what="documents">
      {(data) => <Documents of={data} owner={owner} />}
    </Answered>
  );
}

function Documents({ of: data, owner }: { of: Schema<'CustomerFile'>; owner: Owner }) {
  return (
    <>
      <section className="card">
        <h2>Documents</h2>
        {data.documents.length === 0 ? <p className="quiet">None was handed in.</p> : null}
        {owner.reads && !data.documents_are_shown && data.documents.length > 0 ? (
          <p className="notice">Contents are not shown here: your operator has them on the command line.</p>
        ) : null}
        <ul className="rows">
          {data.documents.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              owner={{ ...owner, reads: owner.reads && data.documents_are_shown }}
            />
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>Review</h2>
        {data.kyc_history.length === 0 ? <p className="quiet">Nothing changed lately.</p> : null}
        <ol className="stack tight">
          {data.kyc_history.map(({ kyc_status, changed_at }) => (
            <li key={changed_at}>
              <KycBadge status={kyc_status} /> <Moment at={changed_at} />
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

function DocumentRow({ document, owner }: { document: Document; owner: Owner }) {
  const { doc_type, sub_type, doc_country, bytes, url, created_at } = document;
  const name = [doc_type, sub_type]
    .filter((part) => part !== null)
    .map(readable)
    .join(', ');
  const kind = bytes === null ? 'A link, which was never fetched' : sizeText(bytes);
  return (
    <li>
      <div>
        <p>
          <strong>{name}</strong> {doc_country === null ? null : <span className="badge neutral">{doc_country}</span>}
        </p>
        <p className="quiet">
          {kind} · added <Moment at={created_at} />
        </p>
        {url === null ? null : <code className="url">{url}</code>}
      </div>
      {owner.reads && bytes !== null ? <Content document={document} name={name} owner={owner} /> : null}
    </li>
  );
}

/** Opened on the record, for some minutes. */
function Content({ document, name, owner }: { document: Document; name: string; owner: Owner }) {
  const [isShown, setIsShown] = useState(true);
  const params = { path: { customer_id: owner.customerId, document_id: document.id } };
  const open = useMutation({
    mutationFn: (reason: string) =>
      withStepUp(() => {
        const asked = { params, body: { reason } };
        return owner.of === 'cases'
          ? answered(backOffice.POST('/api/cases/{customer_id}/documents/{document_id}/open', asked))
          : answered(backOffice.POST('/api/customers/{customer_id}/documents/{document_id}/open', asked));
      }),
    // Opened anew, it may be there again.
    onMutate: () => setIsShown(true),
  });
  const path = `/api/${owner.of}/${owner.customerId}/documents/${document.id}/content`;
  return (
    <>
      <div className="actions">
        <ReasonDialog
          what="Open…"
          label={`Open ${name}`}
          title={`Open ${name}?`}
          note="That you read it, and why, goes on the record. It is shown for five minutes."
          confirm="Open the document"
          isBusy={open.isPending}
          act={(reason, done) => open.mutate(reason, { onSuccess: done })}
        />
      </div>
      <Refused error={open.error} />
      <div aria-live="polite">
        {open.isSuccess ? (
          <>
            {isShown ? (
              <img className="document" src={path} alt={name} onError={() => setIsShown(false)} />
            ) : (
              <p className="notice">
                It can’t be shown here: it may be no picture, or the five minutes may be over. Save it to read it, or
                open it again.
              </p>
            )}
            <a className="button" href={path} download>
              Save {name}
            </a>
          </>
        ) : null}
      </div>
    </>
  );
}
