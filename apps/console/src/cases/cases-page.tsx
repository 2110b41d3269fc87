import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import type { Schema } from '../api/client';
import { CUSTOMER_TYPE_WORDS } from '../customers/words';
import { formText } from '../forms/form-text';
import { Pages } from '../shell/pages';
import { UUID_FIELD } from '../shell/search';
import { Answered, Empty } from '../shell/states';
import { Moment } from '../times/moment';
import { casesQuestion } from './questions';

const route = getRouteApi('/inside/cases');

export function CasesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const answer = useQuery(casesQuestion(search));
  return (
    <>
      <header className="page-header">
        <h1>Cases</h1>
        <FindCase />
      </header>
      <Answered to={answer} what="reviews">
        {(data) =>
          data.data.length === 0 ? (
            <Empty title="No review waits for a decision">
              <p>
                A customer whom a merchant has registered with documents appears here. Any other is found by its id.
              </p>
            </Empty>
          ) : (
            <>
              <ul className="card rows" aria-label="Under review">
                {data.data.map((one) => (
                  <CaseRow key={one.customer_id} one={one} />
                ))}
              </ul>
              <Pages
                pagination={data.pagination}
                nouns={['review', 'reviews']}
                go={(page) => void navigate({ to: '/cases', search: { page } })}
              />
            </>
          )
        }
      </Answered>
    </>
  );
}

function FindCase() {
  const navigate = useNavigate();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const customerId = formText(event.currentTarget, 'customer');
    void navigate({ to: '/cases/$customerId', params: { customerId } });
  };
  return (
    <form className="actions" onSubmit={submit}>
      <input
        name="customer"
        type="search"
        aria-label="A customer’s id"
        placeholder="A customer’s id"
        required
        {...UUID_FIELD}
        autoComplete="off"
      />
      <button type="submit" className="button">
        Find
      </button>
    </form>
  );
}

function CaseRow({ one: { customer_id, merchant_id, customer_type: type, created_at } }: { one: Schema<'Case'> }) {
  return (
    <li>
      <div>
        <p>
          <Link to="/cases/$customerId" params={{ customerId: customer_id }}>
            <code>{customer_id}</code>
          </Link>
        </p>
        <p className="quiet">
          {CUSTOMER_TYPE_WORDS[type]} of merchant <code>{merchant_id}</code>
        </p>
      </div>
      <p className="quiet">
        Waits since <Moment at={created_at} />
      </p>
    </li>
  );
}
