import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import type { Schema } from '../api/client';
import { formText } from '../forms/form-text';
import { sessionQuestion } from '../session/questions';
import { Pages } from '../shell/pages';
import { Answered, Empty } from '../shell/states';
import { Moment } from '../times/moment';
import { KycBadge } from './kyc-badge';
import { customersQuestion, type CustomersSearch } from './questions';
import { CUSTOMER_STATUS_WORDS, CUSTOMER_TYPE_WORDS, nameOf } from './words';

const route = getRouteApi('/inside/customers');
const SEES_NO_ONE = ['viewer', 'developer'];

export function CustomersPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (changed: CustomersSearch) => void navigate({ to: '/customers', search: changed });
  const answer = useQuery({ ...customersQuestion(search), placeholderData: keepPreviousData });
  return (
    <>
      <header className="page-header">
        <h1>Customers</h1>
      </header>
      <Filters key={search.search ?? ''} search={search} change={change} />
      <Answered to={answer} what="customers">
        {(data) =>
          data.data.length === 0 ? (
            <NoCustomer isFiltered={Object.keys(search).length > 0} clear={() => change({})} />
          ) : (
            <>
              <ul className="card rows" aria-label="Customers found">
                {data.data.map((customer) => (
                  <CustomerRow key={customer.id} customer={customer} />
                ))}
              </ul>
              <Pages
                pagination={data.pagination}
                nouns={['customer', 'customers']}
                go={(page) => change({ ...search, page })}
              />
            </>
          )
        }
      </Answered>
    </>
  );
}

function Filters({ search, change }: { search: CustomersSearch; change: (changed: CustomersSearch) => void }) {
  const { role } = useSuspenseQuery(sessionQuestion).data;
  const set = (name: 'status' | 'customer_type' | 'search', value: string) => {
    const { page: _, [name]: __, ...others } = search;
    change(value === '' ? others : { ...others, [name]: value });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    set('search', formText(event.currentTarget, 'search'));
  };
  return (
    <search className="customer-filters">
      <form onSubmit={submit}>
        <label className="field">
          <span>{SEES_NO_ONE.includes(role) ? 'Whole id' : 'Whole e-mail, phone or id'}</span>
          <input name="search" type="search" maxLength={254} defaultValue={search.search ?? ''} autoComplete="off" />
        </label>
        <button type="submit" className="button">
          Search
        </button>
      </form>
      <label className="field">
        <span>Status</span>
        <select value={search.status ?? ''} onChange={({ target }) => set('status', target.value)}>
          <option value="">Any</option>
          <option value="active">{CUSTOMER_STATUS_WORDS.active}</option>
          <option value="closed">{CUSTOMER_STATUS_WORDS.closed}</option>
        </select>
      </label>
      <label className="field">
        <span>Type</span>
        <select value={search.customer_type ?? ''} onChange={({ target }) => set('customer_type', target.value)}>
          <option value="">Any</option>
          <option value="individual">{CUSTOMER_TYPE_WORDS.individual}</option>
          <option value="business">{CUSTOMER_TYPE_WORDS.business}</option>
        </select>
      </label>
    </search>
  );
}

function CustomerRow({ customer }: { customer: Schema<'ShownCustomer'> }) {
  const { id, customer_type: type, status, kyc_status, created_at } = customer;
  return (
    <li>
      <div>
        <p>
          <Link to="/customers/$customerId" params={{ customerId: id }}>
            {nameOf(customer) ?? <code>{id}</code>}
          </Link>
        </p>
        <p className="quiet">{[CUSTOMER_TYPE_WORDS[type], customer.email].filter(Boolean).join(' · ')}</p>
        <p className="quiet">
          Since <Moment at={created_at} />
        </p>
      </div>
      <div className="actions">
        {status === 'closed' ? <span className="badge neutral">Closed</span> : null}
        <KycBadge status={kyc_status} />
      </div>
    </li>
  );
}

function NoCustomer({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (!isFiltered)
    return (
      <Empty title="No customers yet">
        <p>The first one appears here when your program registers it through the API.</p>
      </Empty>
    );
  return (
    <Empty title="No customer matches">
      <p>An e-mail address, a phone number or an id is found whole: a part of one finds nothing.</p>
      <button type="button" className="button" onClick={clear}>
        Show all customers
      </button>
    </Empty>
  );
}
