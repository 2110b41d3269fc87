import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../api/client';
import { Answered } from '../shell/states';
import { Moment } from '../times/moment';
import { parkedFactsQuestion } from './questions';

type Service = Schema<'ParkedFacts'>;

/** What services could not handle, and how it is tried again. */
export function ParkedFactsCard() {
  const answer = useQuery(parkedFactsQuestion);
  return (
    <section className="card" aria-labelledby="parked">
      <h2 id="parked">Parked facts</h2>
      <Answered to={answer} what="parked facts">
        {(data) => (
          <>
            {data.every(({ total }) => total === 0) ? (
              <p className="quiet">Nothing is parked: every fact of the ledger was handled.</p>
            ) : null}
            {data.map((service) => (
              <OfService key={service.service} service={service} />
            ))}
          </>
        )}
      </Answered>
    </section>
  );
}

function OfService({ service: { service, is_away: isAway, total, facts } }: { service: Service }) {
  if (isAway) {
    return (
      <p>
        <strong>{service}</strong> <span className="badge neutral">Does not answer</span>
      </p>
    );
  }
  if (total === 0) return null;
  return (
    <>
      <h3>{service}</h3>
      <ul className="card-list">
        {facts.map((fact) => (
          <li key={`${fact.consumer} ${fact.shard} ${fact.position}`}>
            <p>
              <code>
                {fact.shard}:{fact.position}
              </code>{' '}
              {fact.movement}, since <Moment at={fact.parked_at} />{' '}
              {fact.retry_requested ? <span className="badge waiting">Is tried again</span> : null}
            </p>
            <p>{fact.held_behind === null ? fact.reason : `Held back behind ${fact.shard}:${fact.held_behind}`}</p>
            <p className="quiet">
              About <code className="url">{fact.concerns}</code>, tried {fact.attempts} times
            </p>
          </li>
        ))}
      </ul>
      <p className="quiet">
        {total > facts.length ? `The first ${facts.length} of ${total}. ` : ''}Once the cause is mended:{' '}
        <code className="url">facts retry {service} POSITION</code>, or <code>--all</code>.
      </p>
    </>
  );
}
