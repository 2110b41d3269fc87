import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { Sure } from '../forms/sure';
import { formText } from '../forms/form-text';
import { withStepUp } from '../session/passkeys';
import { sessionQuestion } from '../session/questions';
import { Failure, Loading } from '../shell/states';
import { Moment } from '../times/moment';
import { NewKey, ShownOnce } from './new-key';
import { keysQuestion } from './questions';
import { scopesText, standingOf } from './words';

type ApiKey = Schema<'ApiKey'>;
/** How long both keys work after a rotation. */
const OVERLAPS: readonly (readonly [hours: number, words: string])[] = [
  [0, 'not at all'],
  [1, 'an hour'],
  [24, 'a day'],
  [168, 'a week'],
];

export function KeysPage() {
  const { role } = useSuspenseQuery(sessionQuestion).data;
  const { data, error, refetch } = useQuery(keysQuestion);
  const mayChange = role === 'admin';
  return (
    <>
      <header className="page-header">
        <h1>API keys</h1>
      </header>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="keys" />
      ) : (
        <div className="stack">
          {mayChange ? (
            <NewKey grantable={data.scopes} />
          ) : (
            <p className="notice">
              An admin of yours makes and ends keys: a key reads what your role does not show you here.
            </p>
          )}
          <Keys keys={data.keys} mayChange={mayChange} />
        </div>
      )}
    </>
  );
}

function Keys({ keys, mayChange }: { keys: readonly ApiKey[]; mayChange: boolean }) {
  const [now] = useState(() => Date.now());
  const isValid = (key: ApiKey) => ['valid', 'ending'].includes(standingOf(key, now));
  const [valid, ended] = [keys.filter(isValid), keys.filter((key) => !isValid(key))];
  return (
    <>
      <ul className="card rows" aria-label="Valid keys">
        {valid.length === 0 ? <li className="quiet">No key is valid: your programs are refused.</li> : null}
        {valid.map((key) => (
          <KeyRow key={key.id} apiKey={key} now={now} mayChange={mayChange} />
        ))}
      </ul>
      {ended.length === 0 ? null : (
        <details className="card">
          <summary>{ended.length === 1 ? 'One key has ended' : `${ended.length} keys have ended`}</summary>
          <ul className="rows" aria-label="Keys that have ended">
            {ended.map((key) => (
              <KeyRow key={key.id} apiKey={key} now={now} mayChange={false} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function KeyRow({ apiKey, now, mayChange }: { apiKey: ApiKey; now: number; mayChange: boolean }) {
  const { id, name, scopes, allowed_addresses: from } = apiKey;
  return (
    <li>
      <div>
        <p>
          <strong>{name ?? 'Made by your operator'}</strong> <Standing apiKey={apiKey} now={now} />
        </p>
        <p>
          <code>{id}</code>
        </p>
        <p className="quiet">
          May {scopesText(scopes)} · {from.length === 0 ? 'from everywhere' : `from ${from.join(', ')}`}
        </p>
        <p className="quiet">
          Created <Moment at={apiKey.created_at} /> ·{' '}
          {apiKey.last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <Moment at={apiKey.last_used_at} />
            </>
          )}
        </p>
      </div>
      {mayChange ? <KeyActions apiKey={apiKey} /> : null}
    </li>
  );
}

function Standing({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  const { revoked_at: revoked, expires_at: expires } = apiKey;
  const standing = standingOf(apiKey, now);
  if (standing === 'valid') return null;
  const [tone, word] = { ending: ['waiting', 'Ends'], expired: ['neutral', 'Expired'], revoked: ['bad', 'Revoked'] }[
    standing
  ] as [string, string];
  return (
    <span className={`badge ${tone}`}>
      {word} <Moment at={revoked ?? expires ?? apiKey.created_at} />
    </span>
  );
}

/** Which wait until its person has shown the passkey. */
function KeyActions({ apiKey: { id, name, scopes } }: { apiKey: ApiKey }) {
  const client = useQueryClient();
  const params = { path: { key_id: id } };
  const onSuccess = () => client.invalidateQueries({ queryKey: ['keys'] });
  const rotate = useMutation({
    mutationFn: (grace_hours: number) =>
      withStepUp(() => answered(backOffice.POST('/api/keys/{key_id}/rotate', { params, body: { grace_hours } }))),
    gcTime: 0,
    onSuccess,
  });
  const revoke = useMutation({
    mutationFn: () => withStepUp(() => backOffice.POST('/api/keys/{key_id}/revoke', { params, body: {} })),
    onSuccess,
  });
  const failed = rotate.error ?? revoke.error;
  const isBusy = rotate.isPending || revoke.isPending;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    rotate.mutate(Number(formText(event.currentTarget, 'overlap')));
  };
  return (
    <>
      <div className="actions">
        {scopes.includes('approve') ? (
          <p className="quiet">Approves payouts: your operator replaces it.</p>
        ) : (
          <form className="actions" onSubmit={submit}>
            <label className="switch">
              <span>Both work for</span>
              <select name="overlap" defaultValue="24">
                {OVERLAPS.map(([hours, words]) => (
                  <option key={hours} value={hours}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
            <button type="submit" className="button" disabled={isBusy} aria-label={`Rotate ${name ?? id}`}>
              Rotate
            </button>
          </form>
        )}
        <Sure what="Revoke" question="Revoke for good?" isBusy={isBusy} act={() => revoke.mutate()} />
      </div>
      <div aria-live="polite">
        {failed === null ? null : <p className="notice bad">{failed.message}</p>}
        {rotate.isSuccess ? (
          <ShownOnce apiKey={rotate.data.data.api_key} note="This key takes the place of the one above." />
        ) : null}
      </div>
    </>
  );
}
