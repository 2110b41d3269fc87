import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import type { Schema } from '../api/client';
import { formText } from '../forms/form-text';
import { Columns } from '../shell/columns';
import { Icon } from '../shell/icon';
import { Pages } from '../shell/pages';
import { Answered, Empty } from '../shell/states';
import { Moment } from '../times/moment';
import { ModeBadge, NoKeyBadge } from './merchant-badges';
import { merchantsQuestion, merchantsSearchOf } from './questions';

export function MerchantsPage() {
  const search = merchantsSearchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const answer = useQuery({
    ...merchantsQuestion(search),
    placeholderData: keepPreviousData,
  });
  const { isPlaceholderData } = answer;
  const find = (text: string) => void navigate({ to: '/merchants', search: merchantsSearchOf({ search: text }) });
  return (
    <>
      <header className="page-header">
        <h1>Merchants</h1>
      </header>
      <Search key={search.search} text={search.search ?? ''} find={find} />
      <Answered to={answer} what="merchants">
        {(data) =>
          data.data.length === 0 ? (
            <NoMerchants isSearch={search.search !== undefined} showAll={() => find('')} />
          ) : (
            <section aria-label="Merchants found" aria-busy={isPlaceholderData}>
              <MerchantTable merchants={data.data} />
              <Pages
                pagination={data.pagination}
                nouns={['merchant', 'merchants']}
                go={(page) => void navigate({ to: '/merchants', search: merchantsSearchOf({ ...search, page }) })}
              />
            </section>
          )
        }
      </Answered>
    </>
  );
}

function Search({ text, find }: { text: string; find: (text: string) => void }) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    find(formText(event.currentTarget, 'search'));
  };
  return (
    <search className="merchant-search">
      <form className="field search-field" onSubmit={submit}>
        <label htmlFor="search">Find a merchant</label>
        <span className="with-icon">
          <Icon name="search" />
          <input
            id="search"
            name="search"
            type="search"
            maxLength={200}
            placeholder="Part of the name, or the id"
            defaultValue={text}
          />
        </span>
      </form>
    </search>
  );
}

function MerchantTable({ merchants }: { merchants: Schema<'Merchant'>[] }) {
  return (
    <div className="table-frame">
      <table className="list labelled">
        <Columns names={['Name', 'Mode', 'Shard', 'Keys last used', 'Created']} />
        <tbody>
          {merchants.map((merchant) => (
            <tr key={merchant.merchant_id}>
              <td>
                <Link
                  to="/merchants/$merchantId/transactions"
                  params={{ merchantId: merchant.merchant_id }}
                  search={{}}
                  className="row-link"
                >
                  {merchant.name}
                </Link>
              </td>
              <td data-label="Mode">
                <ModeBadge mode={merchant.mode} /> <NoKeyBadge status={merchant.status} />
              </td>
              <td data-label="Shard">{merchant.shard}</td>
              <td data-label="Keys last used">
                {merchant.last_used_at === null ? 'Never' : <Moment at={merchant.last_used_at} />}
              </td>
              <td data-label="Created">
                <Moment at={merchant.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NoMerchants({ isSearch, showAll }: { isSearch: boolean; showAll: () => void }) {
  if (!isSearch)
    return (
      <Empty title="No merchants yet">
        <p>
          The first one is made by the operators’ command line: <code>merchants create --name NAME</code>.
        </p>
      </Empty>
    );
  return (
    <Empty title="No merchant matches">
      <p>A part of the name finds it, or its whole id.</p>
      <button type="button" className="button" onClick={showAll}>
        Show all merchants
      </button>
    </Empty>
  );
}
