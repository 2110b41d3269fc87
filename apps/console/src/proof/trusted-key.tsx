import { useState } from 'react';

const KEY = 'console-ledger-key';

/** The ledger's public key as the person brings it, kept in this browser. */
export function useTrustedKey() {
  const [text, setText] = useState(() => localStorage.getItem(KEY) ?? '');
  return { text, setText, keep: () => localStorage.setItem(KEY, text.trim()) };
}

export function TrustedKeyField({ text, setText }: { text: string; setText: (text: string) => void }) {
  return (
    <label className="field">
      <span>Public key of the ledger</span>
      <input
        type="text"
        spellCheck={false}
        autoComplete="off"
        placeholder="From a source that you trust"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}

/** Undefined where none was given. @throws Error for what is no key */
export async function trustedKeyOf(text: string) {
  const { readPublicKey } = await import('./signed-checkpoint');
  const key = text.trim() === '' ? undefined : await readPublicKey(text.trim());
  if (text.trim() !== '' && key === undefined)
    throw new Error('that is no public key: it has 44 characters of base64.');
  return key;
}
