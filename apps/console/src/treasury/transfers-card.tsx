import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../amounts/amount';
import type { Schema } from '../api/client';
import { Fact } from '../shell/fact';
import { Answered } from '../shell/states';
import { Moment } from '../times/moment';
import { NETWORK_WORDS } from '../transactions/words';
import { transferQuestion, transfersQuestion } from './questions';
import { holdText, KIND_WORDS, needsPerson, STATE_TONES, STATE_WORDS } from './words';

type Transfer = Schema<'ChainTransfer'>;
type Holdings = Schema<'NetworkHoldings'>;

/** What leaves our addresses: first what waits, since that may need a person. */
export function TransfersCard({ networks }: { networks: readonly Holdings[] }) {
  const [state, setState] = useState('waiting');
  const answer = useQuery(transfersQuestion(state));
  return (
    <section className="card" aria-labelledby="transfers">
      <h2 id="transfers">Transfers</h2>
      <label className="field narrow">
        <span>Which ones</span>
        <select value={state} onChange={({ target }) => setState(target.value)}>
          {Object.entries(STATE_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
          <option value="">All</option>
        </select>
      </label>
      <Answered to={answer} what="transfers">
        {(data) =>
          data.data.length === 0 ? (
            <p className="quiet">{state === 'waiting' ? 'None waits: nothing is stuck.' : 'There is none.'}</p>
          ) : (
            <>
              <ul className="events">
                {data.data.map((transfer) => (
                  <li key={transfer.reference}>
                    <TransferRow transfer={transfer} networks={networks} />
                  </li>
                ))}
              </ul>
              <p className="quiet">
                The newest {data.data.length} of {data.pagination.total.toLocaleString('en')}.
              </p>
            </>
          )
        }
      </Answered>
    </section>
  );
}

function TransferRow({ transfer, networks }: { transfer: Transfer; networks: readonly Holdings[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const { kind, network, amount, currency, state, held_by: hold } = transfer;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span className={`badge ${needsPerson(hold) ? 'bad' : STATE_TONES[state]}`}>{STATE_WORDS[state]}</span>{' '}
        <Amount amount={amount} currency={currency} /> {KIND_WORDS[kind]} on {NETWORK_WORDS[network] ?? network},{' '}
        <Moment at={transfer.created_at} />
        {hold === null ? null : <span className="hold quiet">{holdText(hold)}</span>}
      </summary>
      {isOpen ? <Whole reference={transfer.reference} networks={networks} /> : null}
    </details>
  );
}

function Whole({ reference, networks }: { reference: string; networks: readonly Holdings[] }) {
  const answer = useQuery(transferQuestion(reference));
  return (
    <Answered to={answer} what="the transfer">
      {(data) => {
        const { fee_coins: fee, attempts } = data;
        // Fees are paid in the network's own coin, which the treasury's book names.
        const coin =
          networks.find(({ status }) => status.network === data.network)?.treasury?.coin ?? 'of the network’s coin';
        const command = commandFor(data);
        return (
          <dl className="facts">
            <Fact name="Reference">
              <code className="url">{data.reference}</code>
            </Fact>
            <Fact name="From">
              <code className="url">{data.from_address}</code>
            </Fact>
            <Fact name="To">
              {data.to_address === null ? (
                'The payee, whose address is not shown here'
              ) : (
                <code className="url">{data.to_address}</code>
              )}
            </Fact>
            <Fact name="Transaction">
              {data.transaction_hash && <code className="url">{data.transaction_hash}</code>}
            </Fact>
            <Fact name="Block">
              {data.block_number === null
                ? null
                : `${data.block_number.toLocaleString('en')}, ${data.confirmations} confirmations`}
            </Fact>
            <Fact name="Nonce">{data.nonce}</Fact>
            <Fact name="Fee">{fee && <Amount amount={fee} currency={coin} />}</Fact>
            <Fact name="Failed">{data.failure}</Fact>
            <Fact name="Cancelled">
              {data.cancelled_by === null ? null : `By ${data.cancelled_by}: ${data.cancel_reason ?? '–'}`}
            </Fact>
            <Fact name="Transactions made">
              {attempts.length === 0
                ? 'None yet'
                : attempts.map((attempt) => (
                    <span key={attempt.number} className="hold">
                      {attempt.cancels ? 'Cancels: ' : ''}
                      <code className="url">{attempt.transaction_hash ?? `not signed: ${attempt.refused ?? '–'}`}</code>
                    </span>
                  ))}
            </Fact>
            <Fact name="What can be done">{command === undefined ? null : <code className="url">{command}</code>}</Fact>
          </dl>
        );
      }}
    </Answered>
  );
}

/** What an operator can type for it, where there is something. */
function commandFor({ held_by: hold, state, network, from_address: from, reference }: Transfer): string | undefined {
  if (hold === 'nonce_taken') return `chain resume --network ${network} --address ${from} --reason CASE`;
  return state === 'waiting' || state === 'sent' ? `chain cancel ${reference} --reason CASE` : undefined;
}
