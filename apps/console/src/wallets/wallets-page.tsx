import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Amount } from '../amounts/amount';
import { MerchantLink, useNamedMerchant } from '../merchants/named-merchant';
import { Answered, Empty } from '../shell/states';
import { NETWORK_WORDS } from '../transactions/words';
import { Pages } from '../shell/pages';
import { walletsQuestion, walletsSearchOf } from './questions';

export function WalletsPage() {
  const search = walletsSearchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const answer = useQuery(walletsQuestion(useNamedMerchant(), search));
  return (
    <>
      <header className="page-header">
        <h1>{search.customer_id === undefined ? 'Wallets' : 'Wallets of a customer'}</h1>
      </header>
      <Answered to={answer} what="wallets">
        {(data) =>
          data.data.length === 0 ? (
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
                      <MerchantLink to="/wallets/$walletId" params={{ walletId: id }} className="row-link">
                        <Amount amount={balance} currency={currency} />
                      </MerchantLink>
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
                go={(page) => void navigate({ to: '.', search: { ...search, page: String(page) } })}
              />
            </>
          )
        }
      </Answered>
    </>
  );
}
