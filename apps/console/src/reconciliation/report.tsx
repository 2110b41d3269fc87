import { Amount } from '../amounts/amount';
import { formatAmount } from '../amounts/amounts';
import type { Schema } from '../api/client';
import { Columns } from '../shell/columns';
import { Fact } from '../shell/fact';
import { Moment } from '../times/moment';
import { NETWORK_WORDS } from '../transactions/words';

type Whole = Schema<'WholeReport'>;
type Network = Whole['report']['networks'][number];
type Token = Network['tokens'][number];
type Line = Token['put_in'];

/** The lines of the auditor's report, see its command `solvency`. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  uncredited: 'Deposits seen, not credited at the checkpoint',
  credited_later: 'Deposits credited, in a later block',
  paid: 'Payouts that left, not completed at the checkpoint',
  paid_later: 'Payouts completed, in a later block',
  unrecognised: 'Deposits not recognised, which an operator has to resolve',
  returned: 'Not recognised and to be sent back, less those that were',
  left_out: 'Deposits of merchants that are left out',
  not_credited: 'Deposits that failed, were reversed or are ignored',
  rest: 'What of credited deposits is finer than the ledger',
};

export function Report({ kept: { report, is_sound: isSound, kept_at: keptAt } }: { kept: Whole }) {
  const { statement, currencies, networks, not_looked_at: places } = report;
  const open = places.filter((place) => place.open);
  return (
    <div className="stack">
      <p className={`notice ${isSound ? 'good' : 'bad'}`}>
        <strong>{isSound ? 'Covered, and every unit explained.' : 'Not right: see what is missing below.'}</strong>{' '}
        Statement {statement.number} of <Moment at={statement.time} /> by {statement.origin}; kept{' '}
        <Moment at={keptAt} />.
      </p>
      {open.length === 0 ? null : (
        <p className="notice bad">
          Not looked at: {[...new Set(open.map(({ network }) => NETWORK_WORDS[network] ?? network))].join(', ')}. Name
          nodes to the auditor, or say what is held there.
        </p>
      )}
      <section className="card" aria-labelledby="solvency">
        <h2 id="solvency">Solvency</h2>
        <Coverage currencies={currencies} />
      </section>
      {networks.map((network) => (
        <NetworkReport key={network.network} network={network} />
      ))}
    </div>
  );
}

function Coverage({ currencies }: { currencies: Whole['report']['currencies'] }) {
  if (currencies.length === 0) return <p className="quiet">Nothing is owed that chains would have to cover.</p>;
  return (
    <table className="list labelled">
      <Columns names={['Currency', 'Owed', 'Held', 'Held elsewhere, as stated', 'Spoken for', 'Surplus']} />
      <tbody>
        {currencies.map(({ currency, covered, ...each }) => (
          <tr key={currency}>
            <td>
              <strong>{currency}</strong>{' '}
              <span className={`badge ${covered ? 'good' : 'bad'}`}>{covered ? 'Covered' : 'Not covered'}</span>
            </td>
            <td data-label="Owed">{formatAmount(each.owed)}</td>
            <td data-label="Held">{formatAmount(each.held)}</td>
            <td data-label="Held elsewhere, as stated">{formatAmount(each.held_elsewhere)}</td>
            <td data-label="Spoken for">{formatAmount(each.spoken_for)}</td>
            <td data-label="Surplus">{formatAmount(each.surplus)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NetworkReport({ network: { network, nodes, block_number: block, addresses, tokens } }: { network: Network }) {
  const id = `network-${network}`;
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{NETWORK_WORDS[network] ?? network}</h2>
      <p className="quiet">
        At block {block.toLocaleString('en')}, by {nodes.join(' and ')}, {addresses.toLocaleString('en')}{' '}
        {addresses === 1 ? 'address' : 'addresses'}
      </p>
      {tokens.map((token) => (
        <TokenReport key={token.currency} token={token} />
      ))}
    </section>
  );
}

function TokenReport({ token }: { token: Token }) {
  const { currency, findings } = token;
  const explained = Object.entries(token.explained).filter(([, { transfers }]) => transfers > 0);
  return (
    <>
      <h3>{currency}</h3>
      <dl className="facts">
        <Fact name="Held">
          <Amount amount={token.held} currency={currency} />
        </Fact>
        <Fact name="Put in by us">
          <Counted line={token.put_in} currency={currency} />
        </Fact>
        {token.taken_out.transfers === 0 ? null : (
          <Fact name="Taken out by us">
            <Counted line={token.taken_out} currency={currency} />
          </Fact>
        )}
        <Fact name="Booked">
          <Amount amount={token.booked} currency={currency} />
        </Fact>
        {explained.map(([name, line]) => (
          <Fact key={name} name={EXPLANATIONS[name] ?? name}>
            <Counted line={line} currency={currency} />
          </Fact>
        ))}
        <Fact name="Not explained">
          <Amount amount={token.unexplained} currency={currency} />{' '}
          {findings.length === 0 ? <span className="badge good">None</span> : null}
        </Fact>
      </dl>
      {findings.length === 0 ? null : (
        <ul className="card-list" aria-label={`Differences of ${currency}`}>
          {findings.map(({ amount, problem, since }) => (
            <li key={problem}>
              <p>
                <span className="badge bad">{formatAmount(amount)}</span> {problem}
              </p>
              <p className="quiet">{since === undefined ? null : <Since at={since} />}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const Since = ({ at }: { at: string }) => (
  <>
    In each report since <Moment at={at} />
  </>
);

const Counted = ({ line: { transfers, amount }, currency }: { line: Line; currency: string }) => (
  <>
    <Amount amount={amount} currency={currency} />
    {transfers === 0 ? null : ` in ${transfers === 1 ? 'one transfer' : `${transfers.toLocaleString('en')} transfers`}`}
  </>
);
