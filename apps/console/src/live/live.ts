/** What happens shows without a reload: the back office says which transaction changed, the screens ask for it again. */
import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '../api/client';

/** Many changes at once are one question. */
const GATHERED_MS = 200;
/** After a refusal: the session may have ended, or the service is busy. */
const REFUSED_MS = 5_000;
/** How long after a page was opened it has missed nothing yet. */
const FIRST_MS = 5_000;

/**
 * @param of whose changes they are, see `changesOf`
 * @returns how to stop
 */
export function followChanges(client: QueryClient, of: string): () => void {
  const changed = new Set<string>();
  let isAllChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    timer = undefined;
    if (isAllChanged) void client.invalidateQueries({ queryKey: ['transaction'] });
    for (const id of changed) void client.invalidateQueries({ queryKey: ['transaction', id] });
    changed.clear();
    isAllChanged = false;
    for (const queryKey of [['transactions'], ['approvals'], ['wallets']]) void client.invalidateQueries({ queryKey });
  };
  /** Of more than it says: everything that is shown may have changed. */
  const soon = (id?: string) => {
    if (id === undefined) isAllChanged = true;
    else changed.add(id);
    timer ??= setTimeout(ask, GATHERED_MS);
  };
  const stop = listen(of, { heard: (data) => soon(transactionOf(data)), wasAway: soon });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Names what a session hears, so that tabs of another session hear their own; undefined for people who are of no merchant. */
export const changesOf = ({ person, merchant }: Session): string | undefined =>
  merchant === null ? undefined : `live ${person.person_id} ${merchant.merchant_id}`;

interface Listener {
  heard: (data: string) => void;
  /** What happened meanwhile was not said. */
  wasAway: () => void;
}

const AWAY = null;

/**
 * One tab of a browser is connected and tells the others: a browser opens six connections to a host, over HTTP/1.1, for all of its tabs.
 *
 * @returns how to stop
 */
function listen(name: string, listener: Listener): () => void {
  const others = new BroadcastChannel(name);
  others.onmessage = ({ data }: MessageEvent<string | typeof AWAY>) => {
    if (data === AWAY) listener.wasAway();
    else listener.heard(data);
  };
  const told: Listener = {
    heard: (data) => {
      others.postMessage(data);
      listener.heard(data);
    },
    wasAway: () => {
      others.postMessage(AWAY);
      listener.wasAway();
    },
  };
  const stopping = new AbortController();
  const connected = () =>
    new Promise<void>((resolve) => {
      const stop = connect(told);
      stopping.signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  // Held for as long as the tab is there: then the next one is connected.
  void navigator.locks.request(name, { signal: stopping.signal }, connected).catch(() => undefined);
  return () => {
    stopping.abort();
    others.close();
  };
}

/** A browser connects again by itself, except where it was answered with a refusal. */
function connect({ heard, wasAway }: Listener): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  // A tab that takes over from another one has shown what it shows for longer.
  let isFirst = performance.now() < FIRST_MS;
  const open = () => {
    source = new EventSource('/api/live');
    source.addEventListener('transaction', ({ data }: MessageEvent<string>) => heard(data));
    source.addEventListener('open', () => {
      if (!isFirst) wasAway();
      isFirst = false;
    });
    source.addEventListener('error', () => {
      isFirst = false;
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, REFUSED_MS);
    });
  };
  open();
  return () => {
    source.close();
    clearTimeout(retry);
  };
}

export function transactionOf(data: string): string | undefined {
  try {
    const id = (JSON.parse(data) as { transaction_id?: unknown } | null)?.transaction_id;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
