/** What happens shows without a reload: the back office says which transaction changed, the screens ask for it again. */
import type { QueryClient } from '@tanstack/react-query';

/** Many changes at once are one question. */
const GATHERED_MS = 200;
/** After a refusal: the session may have ended, or the service is busy. */
const REFUSED_MS = 5_000;

/** @returns how to stop */
export function followChanges(client: QueryClient): () => void {
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
  const stop = listen(({ data }) => soon(transactionOf(data)), soon);
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** A browser connects again by itself, except where it was answered with a refusal. */
function listen(heard: (event: MessageEvent<string>) => void, wasAway: () => void): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  const connect = () => {
    source = new EventSource('/api/live');
    source.addEventListener('transaction', heard);
    // What happened while the connection was away was not said.
    source.addEventListener('open', () => {
      if (!isFirst) wasAway();
      isFirst = false;
    });
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, REFUSED_MS);
    });
  };
  connect();
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
