import { useEffect, useRef } from 'react';
import { Copyable } from '../shell/copyable';

/** A key that was just made. */
export interface MadeKey {
  apiKey: string;
  /** Which one it is. */
  note: string;
}

/**
 * Keys that were just made, each until the person has put it away: it is nowhere else, so nothing that happens to the list of keys takes
 * it from the page.
 */
export function ShownOnce({ keys, dismiss }: { keys: readonly MadeKey[]; dismiss: (key: MadeKey) => void }) {
  const newest = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  // The button that made it may be far from here. One that was put away moves nothing.
  useEffect(() => {
    if (keys.length > count.current) newest.current?.focus();
    count.current = keys.length;
  }, [keys]);
  return keys.map((key, place) => (
    <div
      key={key.apiKey}
      className="notice good"
      role="group"
      aria-label="A new key"
      tabIndex={-1}
      ref={place === 0 ? newest : null}
    >
      <p>{key.note} It is not shown again: keep it where your program finds it, and nowhere else.</p>
      <Copyable text={key.apiKey} label="the key" />
      <p className="actions">
        <button type="button" className="button small" onClick={() => dismiss(key)}>
          I have kept it
        </button>
      </p>
    </div>
  ));
}
