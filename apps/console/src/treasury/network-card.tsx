import { useSuspenseQuery } from '@tanstack/react-query';
import { Amount } from '../amounts/amount';
import { formatAmount } from '../amounts/amounts';
import type { Schema } from '../api/client';
import { sessionQuestion } from '../session/questions';
import { Columns } from '../shell/columns';
import { Copyable } from '../shell/copyable';
import { Fact } from '../shell/fact';
import { Moment } from '../times/moment';
import { NETWORK_WORDS } from '../transactions/words';
import { Rescan } from './rescan';
import { holdText, needsPerson } from './words';

type Holdings = Schema<'NetworkHoldings'>;
type Status = Holdings['status'];
type Treasury = NonNullable<Holdings['treasury']>;
type Token = Treasury['tokens'][number];

export function NetworkCard({ holdings: { status, treasury } }: { holdings: Holdings }) {
  const id = `network-${status.network}`;
  const { role } = useSuspenseQuery(sessionQuestion).data;
  const isSound = status.nodes.every(({ failure }) => failure === null) && status.tip !== null;
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>
        {NETWORK_WORDS[status.network] ?? status.network}{' '}
        <span className={`badge ${isSound ? 'good' : 'bad'}`}>{isSound ? 'Followed' : 'Look at the nodes'}</span>
      </h2>
      <dl className="facts">
        <Walk status={status} />
        {treasury === null ? null : <Wallets treasury={treasury} />}
        <UnderWay status={status} />
      </dl>
      {treasury === null ? null : <Tokens treasury={treasury} />}
      <Nodes nodes={status.nodes} />
      {role === 'operations' && status.tip !== null ? <Rescan network={status.network} tip={status.tip} /> : null}
    </section>
  );
}

function Walk({ status: { head, tip, tip_at: at, final, rescan_from: rescan } }: { status: Status }) {
  return (
    <>
      <Fact name="Walked to">
        {tip === null ? (
          'Not walked yet'
        ) : (
          <>
            Block {grouped(tip)} of {head === null ? '–' : grouped(head)}
            {at === null ? null : (
              <>
                , of <Moment at={at} />
              </>
            )}
            ; final {final === null ? '–' : grouped(final)}
          </>
        )}
      </Fact>
      <Fact name="Rescan">{rescan === null ? null : underWay(rescan, tip)}</Fact>
    </>
  );
}

function Wallets({ treasury }: { treasury: Treasury }) {
  const { coin, hot_address: hot, hot_coins: coins, hot_wei_transfers: pays, cold_address: cold } = treasury;
  return (
    <>
      <Fact name="Hot wallet">{hot === null ? 'The signer does not name it' : <Copyable text={hot} label="it" />}</Fact>
      <Fact name="Coins for fees">
        {coins === null ? (
          'Not read yet: the treasury needs the signer and every node'
        ) : (
          <>
            <Amount amount={coins} currency={coin} />
            {pays === null ? null : (
              <>
                <br />
                <span className="quiet">Enough for {grouped(pays)} transfers</span>
              </>
            )}
          </>
        )}
      </Fact>
      <Fact name="Cold address">{cold === null ? 'None is set' : <Copyable text={cold} label="it" />}</Fact>
      <Fact name="Fees paid">
        <Amount amount={treasury.fees_coins} currency={coin} />
      </Fact>
      <Fact name="At deposit addresses">
        <Amount amount={treasury.deposit_addresses_coins} currency={coin} />
      </Fact>
      <Fact name="Read">
        {treasury.read_at === null || treasury.block_number === null ? null : (
          <>
            At block {grouped(treasury.block_number)}, <Moment at={treasury.read_at} />
          </>
        )}
      </Fact>
    </>
  );
}

function UnderWay({ status }: { status: Status }) {
  const { oldest_unconfirmed_deposit: deposit, oldest_unconfirmed_payout: payout, waiting, sent } = status;
  const holds = Object.entries(waiting);
  return (
    <>
      <Fact name="Waiting">
        {holds.length === 0 ? 'None' : null}
        {holds.map(([hold, count]) => (
          <span key={hold} className="hold">
            <span className={`badge ${needsPerson(hold) ? 'bad' : 'waiting'}`}>{count}</span> {holdText(hold)}
          </span>
        ))}
      </Fact>
      <Fact name="Sent, not final">{grouped(sent)}</Fact>
      <Fact name="Oldest deposit">
        {deposit === null ? null : (
          <>
            Unconfirmed, seen <Moment at={deposit.seen_at} />: <code className="url">{deposit.transaction_hash}</code>
          </>
        )}
      </Fact>
      <Fact name="Oldest payout">
        {payout === null ? null : (
          <>
            Not final, ordered <Moment at={payout.created_at} />: <code className="url">{payout.reference}</code>
          </>
        )}
      </Fact>
    </>
  );
}

function Tokens({ treasury: { tokens } }: { treasury: Treasury }) {
  return (
    <table className="list labelled">
      <caption className="visually-hidden">What is held of each token</caption>
      <Columns names={['Token', 'Hot', 'Cold', 'To sweep', 'Below the threshold', 'Payouts under way', 'Limits']} />
      <tbody>
        {tokens.map((token) => (
          <tr key={token.currency}>
            <td>
              <strong>{token.currency}</strong>
            </td>
            <td data-label="Hot">
              <Held held={token.hot} of={token} />
            </td>
            <td data-label="Cold">
              <Held held={token.cold} of={token} />
            </td>
            <td data-label="To sweep">
              <Held held={token.to_sweep} of={token} /> ({token.to_sweep.addresses})
            </td>
            <td data-label="Below the threshold">
              <Held held={token.below_threshold} of={token} /> ({token.below_threshold.addresses})
            </td>
            <td data-label="Payouts under way">
              <Held held={token.under_way.payouts} of={token} />
            </td>
            <td data-label="Limits">{limitsOf(token)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Held = ({ held, of: { currency } }: { held: { amount: string } | null; of: Token }) =>
  held === null ? '–' : <Amount amount={held.amount} currency={currency} />;

function limitsOf({ sweep_above: sweep, hot_min: min, hot_max: max, hot_target: target }: Token): string {
  const limits = Object.entries({ 'sweep above': sweep, 'hot min': min, 'hot max': max, 'hot target': target });
  const set = limits.flatMap(([name, amount]) => (amount === null ? [] : [`${name} ${formatAmount(amount)}`]));
  return set.length === 0 ? 'None' : set.join(', ');
}

function Nodes({ nodes }: { nodes: Status['nodes'] }) {
  return (
    <ul className="nodes">
      {nodes.map(({ node, head, behind, failure }) => (
        <li key={node}>
          <span className={`badge ${failure === null ? 'good' : 'bad'}`}>{failure === null ? 'Answers' : 'Fails'}</span>{' '}
          <code className="url">{node}</code>{' '}
          <span className="quiet">
            {failure ?? `at block ${head === null ? '–' : grouped(head)}, ${behind ?? 0} behind the furthest`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What is new meanwhile is walked first, so that the end moves on. */
function underWay(next: number, tip: number | null): string {
  const left = tip === null ? null : Math.max(0, tip - next + 1);
  const said = `Under way: block ${grouped(next)} is the next`;
  return left === null ? said : `${said}, ${grouped(left)} ${left === 1 ? 'is' : 'are'} left`;
}

const grouped = (count: number) => count.toLocaleString('en');
