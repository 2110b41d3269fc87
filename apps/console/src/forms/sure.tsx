import { useEffect, useState } from 'react';
import { ActButton } from './act-button';

/** How long it stays a question: long enough to read it. */
const ASKS_MS = 6_000;

/** A button for what can't be undone: it asks once more in its own place. The second half of a double click is no answer. */
export function Sure({
  what,
  question,
  isBusy,
  act,
}: {
  what: string;
  question: string;
  isBusy: boolean;
  act: () => void;
}) {
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (!asks) return undefined;
    const timer = setTimeout(() => setAsks(false), ASKS_MS);
    return () => clearTimeout(timer);
  }, [asks]);
  return (
    <ActButton
      type="button"
      className="button danger"
      isBusy={isBusy}
      onBlur={() => setAsks(false)}
      onClick={({ detail }) => {
        if (asks && detail > 1) return;
        if (asks) act();
        setAsks(!asks);
      }}
    >
      {asks ? question : what}
    </ActButton>
  );
}
