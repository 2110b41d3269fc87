import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Schema } from '../api/client';
import { sessionQuestion } from '../session/questions';
import { Copyable } from '../shell/copyable';
import { Icon } from '../shell/icon';
import { Fact } from '../shell/fact';
import { Answered } from '../shell/states';
import { Moment } from '../times/moment';
import { FileCards } from './file-cards';
import { IdentityCard } from './identity-card';
import { KycBadge } from './kyc-badge';
import { customerFileQuestion, customerQuestion } from './questions';
import { CUSTOMER_STATUS_WORDS, CUSTOMER_TYPE_WORDS, nameOf } from './words';

const route = getRouteApi('/inside/customers/$customerId');

export function CustomerPage() {
  const { customerId } = route.useParams();
  const answer = useQuery(customerQuestion(customerId));
  const { data } = answer;
  return (
    <>
      <Link to="/customers" search={{}} className="back">
        <Icon name="back" />
        Customers
      </Link>
      {data === undefined ? <h1>Customer</h1> : null}
      <Answered to={answer} what="the customer">
        {(data) => <Content customer={data} />}
      </Answered>
    </>
  );
}

function Content({ customer }: { customer: Schema<'ShownCustomer'> }) {
  const { role } = useSuspenseQuery(sessionQuestion).data;
  const { id, customer_type: type, status, kyc_status, created_at } = customer;
  const file = useQuery(customerFileQuestion(id));
  return (
    <>
      <header className="page-header">
        <div>
          <p className="quiet">{CUSTOMER_TYPE_WORDS[type]}</p>
          <h1>
            {nameOf(customer) ?? 'Customer'} <KycBadge status={kyc_status} />
          </h1>
        </div>
        <Copyable text={id} label="the customer’s id" />
      </header>
      <div className="columns">
        <div className="stack">
          <IdentityCard customer={customer} />
          <FileCards file={file} owner={{ customerId: id, of: 'customers', reads: role === 'admin' }} />
        </div>
        <section className="card">
          <h2>Account</h2>
          <dl className="facts">
            <Fact name="Status">{CUSTOMER_STATUS_WORDS[status]}</Fact>
            <Fact name="Since">
              <Moment at={created_at} />
            </Fact>
          </dl>
          <p className="actions links">
            <Link to="/wallets" search={{ customer_id: id }} className="button">
              Wallets
            </Link>
            <Link to="/transactions" search={{ customer_id: id }} className="button">
              Transactions
            </Link>
          </p>
        </section>
      </div>
    </>
  );
}
