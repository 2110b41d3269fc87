import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answered, backOffice, type Schema } from '../api/client';
import { FileCards } from '../customers/file-cards';
import { IdentityCard } from '../customers/identity-card';
import { KycBadge } from '../customers/kyc-badge';
import { CUSTOMER_STATUS_WORDS, CUSTOMER_TYPE_WORDS } from '../customers/words';
import { ReasonDialog } from '../forms/reason-dialog';
import { withStepUp } from '../session/passkeys';
import { sessionQuestion } from '../session/questions';
import { Copyable } from '../shell/copyable';
import { Icon } from '../shell/icon';
import { Fact } from '../shell/fact';
import { Failure, Loading, Refused } from '../shell/states';
import { Moment } from '../times/moment';
import { DecisionCard } from './decision-card';
import { caseFileQuestion, caseQuestion } from './questions';

type Case = Schema<'Case'>;
const route = getRouteApi('/inside/cases/$customerId');

export function CasePage() {
  const { customerId } = route.useParams();
  const { role } = useSuspenseQuery(sessionQuestion).data;
  const { data, error, refetch } = useQuery(caseQuestion(customerId));
  return (
    <>
      <Link to="/cases" search={{}} className="back">
        <Icon name="back" />
        Cases
      </Link>
      {error !== null && data === undefined ? (
        <>
          <h1>Case</h1>
          <Failure error={error} retry={() => void refetch()} />
        </>
      ) : data === undefined ? (
        <Loading what="the case" />
      ) : (
        <>
          <header className="page-header">
            <h1>
              Case <KycBadge status={data.kyc_status} />
            </h1>
            <Copyable text={data.customer_id} label="the customer’s id" />
          </header>
          <div className="columns">
            <div className="stack">{role === 'compliance' ? <Personal key={data.customer_id} one={data} /> : null}</div>
            <div className="stack">
              <Standing one={data} />
              {role === 'compliance' && data.erased_at === null ? <DecisionCard one={data} /> : null}
            </div>
          </div>
        </>
      )}
    </>
  );
}

function Standing({ one }: { one: Case }) {
  const { merchant_id, customer_type: type, status, created_at, updated_at, erased_at } = one;
  return (
    <section className="card">
      <h2>Customer</h2>
      <dl className="facts">
        <Fact name="Type">{CUSTOMER_TYPE_WORDS[type]}</Fact>
        <Fact name="Status">{CUSTOMER_STATUS_WORDS[status]}</Fact>
        <Fact name="Merchant">
          <code>{merchant_id}</code>
        </Fact>
        <Fact name="Since">
          <Moment at={created_at} />
        </Fact>
        <Fact name="Changed">
          <Moment at={updated_at} />
        </Fact>
        <Fact name="Erased">{erased_at === null ? null : <Moment at={erased_at} />}</Fact>
      </dl>
    </section>
  );
}

/** Read for a reason, which is on the record with who reads. */
function Personal({ one: { customer_id, erased_at, ...one } }: { one: Case }) {
  const file = useQuery({ ...caseFileQuestion(customer_id), enabled: erased_at === null });
  const params = { path: { customer_id } };
  const read = useMutation({
    mutationFn: (reason: string) =>
      withStepUp(() => answered(backOffice.POST('/api/cases/{customer_id}/identity', { params, body: { reason } }))),
    gcTime: 0,
  });
  if (erased_at !== null) return <p className="notice">Its personal data was erased: it is unreadable for good.</p>;
  const shown = read.data?.data ?? { id: customer_id, ...one };
  return (
    <>
      <IdentityCard customer={shown}>
        <Refused error={read.error} />
        <p className="quiet">Who the customer is, is read on the record.</p>
        <div className="actions links">
          <ReasonDialog
            what="Show the identity…"
            title="Show who this is?"
            note="That you read it, and why, goes on the record. Name the case, and no person."
            confirm="Show it"
            isBusy={read.isPending}
            act={(reason, done) => read.mutate(reason, { onSuccess: done })}
          />
        </div>
      </IdentityCard>
      <FileCards file={file} owner={{ customerId: customer_id, of: 'cases', reads: true }} />
    </>
  );
}
