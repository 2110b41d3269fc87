import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { ActButton } from '../forms/act-button';
import { lastError } from '../forms/last-error';
import { Sure } from '../forms/sure';
import { formText } from '../forms/form-text';
import { withStepUp } from '../session/passkeys';
import { sessionQuestion } from '../session/questions';
import { type Show, ShownOnce, useShownOnce } from '../shell/shown-once';
import { Answered, Refused } from '../shell/states';
import { useFocusKept } from '../shell/use-focus-kept';
import { Moment } from '../times/moment';
import { NewKey } from './new-key';
import { keysQuestion } from './questions';
import { noteOf, scopesText, standingOf } from './words';

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
  const answer = useQuery(keysQuestion);
  const heading = useFocusKept(answer.data?.keys.filter(({ revoked_at: revoked }) => revoked === null).length ?? 0);
  const mayChange = role === 'admin';
  const { show, ...made } = useShownOnce(heading);
  return (
    <>
      <header className="page-header">
        <h1 ref={heading} tabIndex={-1}>
          API keys
        </h1>
      </header>
      <Answered to={answer} what="keys">
        {(data) => (
          <div className="stack">
            {mayChange ? (
              <NewKey grantable={data.scopes} show={show} />
            ) : (
              <p className="notice">
                An admin of yours makes and ends keys: a key reads what your role does not show you here.
              </p>
            )}
            <ShownOnce {...made} what="key" />
            <Keys keys={data.keys} show={mayChange ? show : undefined} />
          </div>
        )}
      </Answered>
    </>
  );
}

/** @param show a key that was made, for a person who may make one */
function Keys({ keys, show }: { keys: readonly ApiKey[]; show: Show | undefined }) {
  const [now] = useState(() => Date.now());
  const isValid = (key: ApiKey) => ['valid', 'ending'].includes(standingOf(key, now));
  const [valid, ended] = [keys.filter(isValid), keys.filter((key) => !isValid(key))];
  return (
    <>
      <ul className="card rows" aria-label="Valid keys">
        {valid.length === 0 ? <li className="quiet">No key is valid: your programs are refused.</li> : null}
        {valid.map((key) => (
          <KeyRow key={key.id} apiKey={key} now={now} show={show} />
        ))}
      </ul>
      {ended.length === 0 ? null : (
        <details className="card">
          <summary>{ended.length === 1 ? 'One key has ended' : `${ended.length} keys have ended`}</summary>
          <ul className="rows" aria-label="Keys that have ended">
            {ended.map((key) => (
              <KeyRow key={key.id} apiKey={key} now={now} show={undefined} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  now: number;
  show: Show | undefined;
}

function KeyRow({ apiKey, now, show }: KeyRowProps) {
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
      {show === undefined ? null : <KeyActions apiKey={apiKey} show={show} />}
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
function KeyActions({ apiKey: { id, name, scopes }, show }: { apiKey: ApiKey; show: Show }) {
  const client = useQueryClient();
  const params = { path: { key_id: id } };
  const onSuccess = () => client.invalidateQueries({ queryKey: ['keys'] });
  const rotate = useMutation({
    mutationFn: (grace_hours: number) =>
      withStepUp(() => answered(backOffice.POST('/api/keys/{key_id}/rotate', { params, body: { grace_hours } }))),
    gcTime: 0,
    onSuccess: ({ data: { api_key: text } }) => {
      show({ text, note: noteOf(`This key takes the place of ${name ?? id}.`) });
      return onSuccess();
    },
  });
  const revoke = useMutation({
    mutationFn: () => withStepUp(() => backOffice.POST('/api/keys/{key_id}/revoke', { params, body: {} })),
    onSuccess,
  });
  const failed = lastError(rotate, revoke);
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
            <ActButton type="submit" isBusy={isBusy} aria-label={`Rotate ${name ?? id}`}>
              Rotate
            </ActButton>
          </form>
        )}
        <Sure what="Revoke" question="Revoke for good?" isBusy={isBusy} act={() => revoke.mutate()} />
      </div>
      <Refused error={failed} />
    </>
  );
}
