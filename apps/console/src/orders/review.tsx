/** What is going to happen, to be read before the passkey signs it. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { ActButton } from '../forms/act-button';
import { sessionQuestion } from '../session/questions';
import { Refused } from '../shell/states';
import { type Offer, signatureOf } from './offer';
import { clockText, useSecondsLeft } from './seconds-left';

/** Said to screen readers, who hear no countdown of each second. */
const SAID_SECONDS = [60, 30, 10];

interface ReviewProps<Done> {
  title: ReactNode;
  offer: Offer;
  /** `Pay`, `Swap`. */
  verb: string;
  children: ReactNode;
  send: (signed: { order: string; response: Record<string, unknown> }) => Promise<Done>;
  done: (result: Done) => void;
  /** Back to the form, as it was filled in. */
  change: () => void;
  /** The same with what holds now. */
  again: () => void;
}

export function Review<Done>({ title, offer, verb, children, send, done, change, again }: ReviewProps<Done>) {
  const client = useQueryClient();
  const heading = useId();
  const place = useRef<HTMLHeadingElement>(null);
  const left = useSecondsLeft(offer.terms.valid_until);
  const sign = useMutation({
    mutationFn: async () => send({ order: offer.order, response: await signatureOf(offer) }),
    onSuccess: async (result) => {
      done(result);
      await Promise.all(
        ['transactions', 'wallets', 'approvals'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
  useEffect(() => place.current?.focus(), [offer]);
  // What is being sent may have been taken: the same again would be a second one.
  const isOver = left === 0 && !sign.isPending;
  return (
    <section className="card approval order-form" aria-labelledby={heading}>
      <h2 id={heading} ref={place} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <p className="hash">
        <span className="quiet">Your passkey signs this hash of it, and nothing else:</span>
        <code>{offer.hash}</code>
      </p>
      <Refused error={sign.error} />
      <div className="actions">
        {isOver ? (
          <button type="button" className="button primary" onClick={again}>
            Show it again, as of now
          </button>
        ) : (
          <ActButton type="button" className="button primary" isBusy={sign.isPending} onClick={() => sign.mutate()}>
            {sign.isPending ? 'Waiting for your passkey…' : `${verb} with a passkey`}
          </ActButton>
        )}
        <ActButton type="button" isBusy={sign.isPending} onClick={change}>
          Change it
        </ActButton>
        <span className="quiet countdown" aria-hidden="true">
          {isOver ? 'No longer valid' : `Valid for ${clockText(left)}`}
        </span>
        <span className="visually-hidden" role="status">
          {isOver ? 'No longer valid: show it again.' : SAID_SECONDS.includes(left) ? `Valid for ${left} seconds.` : ''}
        </span>
      </div>
    </section>
  );
}

/** What a person without a passkey can't do yet. */
export function WithPasskey({ what, children }: { what: string; children: ReactNode }) {
  const { passkeys } = useSuspenseQuery(sessionQuestion).data;
  if (passkeys > 0) return children;
  return (
    <div className="state">
      <h2>You need a passkey to {what}</h2>
      <div className="way-out">
        <p>What leaves is signed by your own device, so that no one else can send it in your name.</p>
        <Link to="/account" className="button primary">
          Add a passkey
        </Link>
      </div>
    </div>
  );
}
