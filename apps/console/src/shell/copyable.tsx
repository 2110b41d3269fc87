import { useState } from 'react';
import { Icon } from './icon';

const SHOWN_MS = 2_000;

/** An identifier that is needed elsewhere. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span className="copyable">
      <code>{text}</code>
      <button type="button" className="button plain small" onClick={() => void copy()} title={`Copy ${label}`}>
        <Icon name="copy" />
        <span className="visually-hidden" aria-live="polite">
          {copied ? 'Copied' : `Copy ${label}`}
        </span>
      </button>
      {copied ? (
        <span className="quiet" aria-hidden="true">
          Copied
        </span>
      ) : null}
    </span>
  );
}
