import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Amount } from '../amounts/amount';
import { Empty, Failure, Loading } from '../shell/states';
import { NETWORK_WORDS } from '../transactions/words';
import { Pages } from '../shell/pages';
import { walletsQuestion } from './questions';

const route = getRouteApi('/inside/wallets');

export function WalletsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(walletsQuestion(search));
  return (
    <>
      <header className="page-header">
        <h1>{search.customer_id === undefined ? 'Wallets' : 'Wallets of a customer'}</h1>
      </header>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="wallets" />
      ) : data.data.length === 0 ? (
        <Empty title="No wallets here yet">
          <p>
            Open the first one through the API: it appears here with its deposit addresses. A customer’s wallets are
            reached from any of their transactions.
          </p>
        </Empty>
      ) : (
        <>
          <ul className="wallets">
            {data.data.map(({ id, balance, currency, description, addresses }) => (
              <li key={id} className="card">
                <h2>
                  <Link to="/wallets/$walletId" params={{ walletId: id }} className="row-link">
                    <Amount amount={balance} currency={currency} />
                  </Link>
                </h2>
                <p>{description}</p>
                <p className="quiet">
                  {addresses.length === 0
                    ? 'No deposit address'
                    : addresses.map(({ network }) => NETWORK_WORDS[network] ?? network).join(', ')}
                </p>
              </li>
            ))}
          </ul>
          <Pages
            pagination={data.pagination}
            nouns={['wallet', 'wallets']}
            go={(page) => void navigate({ search: { ...search, page } })}
          />
        </>
      )}
    </>
  );
}
