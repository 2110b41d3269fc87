import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { ActButton } from '../forms/act-button';
import { Answered, Refused } from '../shell/states';
import { Moment } from '../times/moment';
import { eventQuestion, eventsQuestion } from './questions';
import { deliveryStatus, outcomeOf } from './words';

type Delivery = Schema<'EventWithDeliveries'>['deliveries'][number];
const TONES = { pending: 'waiting', delivered: 'good', failed: 'bad' } as const;

/** The newest events, each with how it fared at every endpoint. */
export function EventsCard() {
  const answer = useQuery(eventsQuestion);
  return (
    <section className="card" aria-labelledby="events">
      <h2 id="events">Latest events</h2>
      <Answered to={answer} what="events">
        {(data) =>
          data.data.length === 0 ? (
            <p className="quiet">Nothing has happened yet. A test, a deposit or a payout makes the first one.</p>
          ) : (
            <ul className="events">
              {data.data.map((event) => (
                <li key={event.id}>
                  <EventRow id={event.id} type={event.type} at={event.created_at} />
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </section>
  );
}

function EventRow({ id, type, at }: { id: string; type: string; at: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <code>{type}</code> <Moment at={at} />
      </summary>
      {isOpen ? <Deliveries id={id} /> : null}
    </details>
  );
}

function Deliveries({ id }: { id: string }) {
  const client = useQueryClient();
  const answer = useQuery(eventQuestion(id));
  const { refetch } = answer;
  const resend = useMutation({
    mutationFn: () =>
      answered(backOffice.POST('/api/events/{event_id}/resend', { params: { path: { event_id: id } }, body: {} })),
    onSuccess: ({ data: resent }) => client.setQueryData(eventQuestion(id).queryKey, resent),
  });
  return (
    <Answered to={answer} what="deliveries">
      {(data) => (
        <div className="stack">
          {data.deliveries.length === 0 ? <p className="quiet">No endpoint took it.</p> : null}
          {data.deliveries.map((delivery) => (
            <DeliveryLine key={delivery.webhook_id} delivery={delivery} />
          ))}
          <div className="actions">
            <ActButton type="button" isBusy={resend.isPending} onClick={() => resend.mutate()}>
              Send again
            </ActButton>
            <button type="button" className="button plain" onClick={() => void refetch()}>
              Look again
            </button>
            <code className="quiet">{id}</code>
          </div>
          <Refused error={resend.error} />
        </div>
      )}
    </Answered>
  );
}

function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const { status, url, attempts, last_attempt_at: last, next_attempt_at: next } = delivery;
  const outcome = outcomeOf(delivery);
  return (
    <p>
      <span className={`badge ${TONES[status]}`}>{deliveryStatus(status)}</span> <code className="url">{url}</code>
      <br />
      <span className="quiet">
        {attempts === 1 ? 'One attempt' : `${attempts} attempts`}
        {last === null ? null : (
          <>
            , the last <Moment at={last} />
          </>
        )}
        {outcome === '' ? null : `: ${outcome}`}
        {next === null ? null : (
          <>
            ; the next <Moment at={next} />
          </>
        )}
      </span>
    </p>
  );
}
