/** What happens shows without a reload: the back office says which transaction changed, the screens ask for it again. */
import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '../api/client';

/** Many changes at once are one question. */
const GATHERED_MS = 300;
const LISTS = [['transactions'], ['approvals'], ['wallets']];
const CHANGES: Stream = { address: '/api/live', event: 'transaction' };
/** After a refusal, twice as long after each: the service is busy, or the session has ended, which the page then finds out. */
const REFUSED_MS = 5_000;
const REFUSED_MS_MAX = 60_000;
/** How long after a page has begun to listen it has missed nothing yet. */
const FIRST_MS = 5_000;

/**
 * @param of whose changes they are, see `changesOf`
 * @returns how to stop
 */
export function followChanges(client: QueryClient, of: string): () => void {
  const changed = new Set<string>();
  let isAllChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const ask = async () => {
    timer = undefined;
    const keys = [...(isAllChanged ? [['transaction']] : [...changed].map((id) => ['transaction', id])), ...LISTS];
    changed.clear();
    isAllChanged = false;
    isAsking = true;
    // What is being asked already may be answered with what was before.
    const wasAsked = client.isFetching() > 0;
    for (let times = wasAsked ? 2 : 1; times > 0; times -= 1)
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }, { cancelRefetch: false })));
    isAsking = false;
    later();
  };
  /** One question at a time, and none for a page that is not looked at. */
  const later = () => {
    if (isAsking || (!isAllChanged && changed.size === 0) || document.hidden) return;
    timer ??= setTimeout(() => void ask(), GATHERED_MS);
  };
  /** Of more than it says: everything that is shown may have changed. */
  const soon = (id?: string) => {
    if (id === undefined) isAllChanged = true;
    else changed.add(id);
    later();
  };
  document.addEventListener('visibilitychange', later);
  const stop = listen(of, CHANGES, { heard: (data) => soon(transactionOf(data)), wasAway: soon });
  return () => {
    stop();
    document.removeEventListener('visibilitychange', later);
    clearTimeout(timer);
  };
}

/** Names what a session hears, so that tabs of another session hear their own; undefined for people who are of no merchant. */
export const changesOf = ({ person, merchant }: Session): string | undefined =>
  merchant === null ? undefined : `live ${person.person_id} ${merchant.merchant_id}`;

/** Where the back office says what happens, and what it calls that. */
interface Stream {
  address: string;
  event: string;
}
interface Listener {
  heard: (data: string) => void;
  /** What happened meanwhile was not said. */
  wasAway: () => void;
}

const AWAY = null;

/**
 * One tab of a browser is connected and tells the others: a browser opens six connections to a host, over HTTP/1.1, for all of its tabs.
 *
 * @param name of what these tabs hear: tabs of another session hear their own
 * @returns how to stop
 */
export function listen(name: string, stream: Stream, listener: Listener): () => void {
  const since = performance.now();
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
      const stop = connect(stream, told, since);
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
function connect({ address, event }: Stream, { heard, wasAway }: Listener, since: number): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let wait = REFUSED_MS;
  // A tab that takes over from another one has shown what it shows for longer.
  let isFirst = performance.now() - since < FIRST_MS;
  const open = () => {
    source = new EventSource(address);
    source.addEventListener(event, ({ data }: MessageEvent<string>) => heard(data));
    source.addEventListener('open', () => {
      if (!isFirst) wasAway();
      isFirst = false;
      wait = REFUSED_MS;
    });
    source.addEventListener('error', () => {
      isFirst = false;
      if (source.readyState !== EventSource.CLOSED) return;
      wasAway();
      retry = setTimeout(open, wait);
      wait = Math.min(wait * 2, REFUSED_MS_MAX);
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
