import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActButton } from '../forms/act-button';
import { Moment } from '../times/moment';

/**
 * Since when a screen shows what it shows, and the way to ask again: what the operator's people look at does not change by itself, and no
 * page that is left open keeps a session alive.
 *
 * @param keys of the questions that are asked again
 */
export function AsOf({ at, keys }: { at: number; keys: readonly QueryKey[] }) {
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const ask = async () => {
    setIsAsking(true);
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    setIsAsking(false);
  };
  return (
    <p className="as-of">
      <span className="quiet">As of {at === 0 ? '–' : <Moment at={new Date(at).toISOString()} style="second" />}</span>
      <ActButton type="button" className="button small" isBusy={isAsking} onClick={() => void ask()}>
        Refresh
      </ActButton>
    </p>
  );
}
