import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Copyable } from './copyable';

/** A secret that was just made. */
export interface Secret {
  text: string;
  /** Which one it is, and where it belongs. */
  note: ReactNode;
}
export type Show = (secret: Secret) => void;

/**
 * Secrets that were just made, each until the person has put it away: it is nowhere else, so nothing else that is done on the page takes it
 * away.
 *
 * @param heading has the focus when one was put away: the button that was pressed is gone
 */
export function useShownOnce(heading: RefObject<HTMLElement | null>) {
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const show: Show = (secret) => setSecrets((before) => [secret, ...before]);
  const dismiss = (secret: Secret) => {
    setSecrets((before) => before.filter((one) => one !== secret));
    heading.current?.focus();
  };
  return { secrets, show, dismiss };
}

interface ShownOnceProps {
  secrets: readonly Secret[];
  dismiss: (secret: Secret) => void;
  /** As `key`. */
  what: string;
  /** On the button that puts it away. */
  done?: string;
}

export function ShownOnce({ secrets, dismiss, what, done = 'I have kept it' }: ShownOnceProps) {
  const newest = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  // The button that made it may be far from here. One that was put away moves nothing.
  useEffect(() => {
    if (secrets.length > count.current) newest.current?.focus();
    count.current = secrets.length;
  }, [secrets]);
  return secrets.map((secret, place) => (
    <div
      key={secret.text}
      className="notice good"
      role="group"
      aria-label={`A new ${what}`}
      tabIndex={-1}
      ref={place === 0 ? newest : null}
    >
      <p>{secret.note}</p>
      <Copyable text={secret.text} label={`the ${what}`} />
      <p className="actions">
        <button type="button" className="button small" onClick={() => dismiss(secret)}>
          {done}
        </button>
      </p>
    </div>
  ));
}
