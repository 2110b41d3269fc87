/** What happens shows without a reload: the back office says which transaction changed, the screens ask for it again. */
import type { QueryClient } from '@tanstack/react-query';

/** Many changes at once are one question. */
const GATHERED_MS = 200;

/** @returns how to stop */
export function followChanges(client: QueryClient): () => void {
  const source = new EventSource('/api/live');
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    timer = undefined;
    for (const id of changed) void client.invalidateQueries({ queryKey: ['transaction', id] });
    changed.clear();
    for (const queryKey of [['transactions'], ['approvals'], ['wallets']]) void client.invalidateQueries({ queryKey });
  };
  source.addEventListener('transaction', ({ data }: MessageEvent<string>) => {
    const id = transactionOf(data);
    if (id !== undefined) changed.add(id);
    timer ??= setTimeout(ask, GATHERED_MS);
  });
  // What happened while the connection was away was not said.
  let opened = false;
  source.addEventListener('open', () => {
    if (opened) timer ??= setTimeout(ask, GATHERED_MS);
    opened = true;
  });
  return () => {
    source.close();
    clearTimeout(timer);
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
