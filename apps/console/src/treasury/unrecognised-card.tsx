import { useQuery } from '@tanstack/react-query';
import { Amount } from '../amounts/amount';
import type { Schema } from '../api/client';
import { Answered } from '../shell/states';
import { Moment } from '../times/moment';
import { NETWORK_WORDS } from '../transactions/words';
import { unrecognisedQuestion } from './questions';
import { reasonText } from './words';

type Unrecognised = Schema<'UnrecognisedTransfer'>;

/** What came to our addresses and was not credited by itself. */
export function UnrecognisedCard() {
  const answer = useQuery(unrecognisedQuestion);
  return (
    <section className="card" aria-labelledby="unrecognised">
      <h2 id="unrecognised">Not recognised</h2>
      <Answered to={answer} what="transfers">
        {(data) =>
          data.data.length === 0 ? (
            <p className="quiet">Nothing waits: every transfer to our addresses was credited.</p>
          ) : (
            <>
              <ul className="card-list">
                {data.data.map((item) => (
                  <li key={item.id}>
                    <Item item={item} />
                  </li>
                ))}
              </ul>
              <p className="quiet">
                {data.pagination.total === 1 ? 'One waits' : `${data.pagination.total.toLocaleString('en')} wait`}. Each
                is decided once, by{' '}
                <code className="url">chain unrecognised resolve ID --credit WALLET | --ignore | --returned HASH</code>,
                with a reason.
              </p>
            </>
          )
        }
      </Answered>
    </section>
  );
}

function Item({ item }: { item: Unrecognised }) {
  const { network, amount, currency, units } = item;
  return (
    <>
      <p>
        {amount === null ? `${units} units` : <Amount amount={amount} currency={currency ?? 'of an unknown token'} />}{' '}
        on {NETWORK_WORDS[network] ?? network}, <Moment at={item.seen_at} />
      </p>
      <p>{reasonText(item.reason)}</p>
      <p className="quiet">
        <code className="url">{item.id}</code>
        <br />
        In <code className="url">{item.transaction_hash}</code>, {item.standing}, for the wallet{' '}
        <code className="url">{item.wallet_id}</code>
      </p>
    </>
  );
}
