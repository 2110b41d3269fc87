import { formatAmount } from '../amounts/amounts';
import { Columns } from '../shell/columns';
import { Moment } from '../times/moment';
import { accountName, type ExplainedEvent, isWallet, type Leg, type Step, stepsOf } from './legs';
import { MOVEMENT_WORDS, wordFor } from './words';

export function Timeline({ events }: { events: readonly ExplainedEvent[] }) {
  return (
    <ol className="timeline">
      {stepsOf(events).map((step) => (
        <TimelineStep key={step.group} step={step} />
      ))}
    </ol>
  );
}

function TimelineStep({ step: { movement, recordedAt, status, legs, balanced, group } }: { step: Step }) {
  return (
    <li>
      <h3>{MOVEMENT_WORDS[movement]}</h3>
      <p className="quiet">
        <Moment at={recordedAt} style="second" /> · position {group}
        {status === null ? null : ` · now ${wordFor(status).toLowerCase()}`}
      </p>
      {legs.length === 0 ? null : (
        <table className="legs">
          <caption className="visually-hidden">Postings of “{MOVEMENT_WORDS[movement]}”</caption>
          <Columns names={['Account', 'Debit', 'Credit']} />
          <tbody>
            {legs.map((leg) => (
              <Posting key={leg.position} leg={leg} />
            ))}
          </tbody>
        </table>
      )}
      {balanced ? null : <p className="notice bad">The postings of this step do not add up. Tell your operator.</p>}
    </li>
  );
}

function Posting({ leg: { account, side, amount, currency, balanceAfter } }: { leg: Leg }) {
  const shown = `${formatAmount(amount)} ${currency}`;
  return (
    <tr>
      <td>
        {isWallet(account) ? (
          <>
            Wallet <code title={account}>{account.slice(0, 8)}</code>
          </>
        ) : (
          accountName(account)
        )}
        {balanceAfter === null ? null : <span className="quiet"> then {formatAmount(balanceAfter)}</span>}
      </td>
      <td>{side === 'debit' ? shown : ''}</td>
      <td>{side === 'credit' ? shown : ''}</td>
    </tr>
  );
}
