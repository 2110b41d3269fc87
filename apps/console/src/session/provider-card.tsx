import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';
import { ActButton } from '../forms/act-button';
import { lastError } from '../forms/last-error';
import { Sure } from '../forms/sure';
import { Refused } from '../shell/states';
import { Moment } from '../times/moment';
import { withStepUp } from './passkeys';
import { useProviderRefusal } from './provider-refusals';
import { signInWaysQuestion } from './questions';

const identityQuestion = queryOptions({
  queryKey: ['identity'],
  queryFn: async () => (await answered(backOffice.GET('/api/identity'))).identity,
});

/** The account at the identity provider that signs this person in: where there is a provider. */
export function ProviderCard() {
  const { data: ways } = useQuery(signInWaysQuestion);
  return ways?.oidc ? <Provider name={ways.oidc.name} /> : null;
}

function Provider({ name }: { name: string }) {
  const client = useQueryClient();
  const refused = useProviderRefusal();
  const { data: identity } = useQuery(identityQuestion);
  const connect = useMutation({
    mutationFn: () => withStepUp(() => answered(backOffice.POST('/api/identity/connection', { body: {} }))),
    onSuccess: ({ url }) => location.assign(url),
  });
  const remove = useMutation({
    mutationFn: () => withStepUp(() => backOffice.DELETE('/api/identity')),
    onSuccess: () => client.invalidateQueries({ queryKey: identityQuestion.queryKey }),
  });
  const failure = lastError(connect, remove);
  return (
    <section className="card stack tight">
      <h2>{name}</h2>
      {identity === undefined ? null : identity === null ? (
        <p className="quiet">Connect your account at {name}, to sign in with it.</p>
      ) : (
        <p>
          Connected <Moment at={identity.created_at} />
          {identity.last_used_at === null ? (
            ', not used yet'
          ) : (
            <>
              , last used <Moment at={identity.last_used_at} />
            </>
          )}
        </p>
      )}
      <p className="quiet">Approvals, and whatever else needs a passkey, need it after this sign-in too.</p>
      <div className="actions">
        <ActButton type="button" isBusy={connect.isPending} onClick={() => connect.mutate()}>
          {identity ? 'Connect another account' : `Connect ${name}`}
        </ActButton>
        {identity ? (
          <Sure
            what="Disconnect"
            question={`Disconnect ${name}?`}
            isBusy={remove.isPending}
            act={() => remove.mutate()}
          />
        ) : null}
      </div>
      <Refused error={failure} />
      <div aria-live="polite">
        {refused === undefined || failure !== null ? null : <p className="notice bad">{refused}</p>}
      </div>
    </section>
  );
}
