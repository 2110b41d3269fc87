import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { answered, backOffice, type Schema, type Session } from '../api/client';
import { ActButton } from '../forms/act-button';
import { ROLE_WORDS } from './roles';
import { formText } from '../forms/form-text';
import { lastError } from '../forms/last-error';
import { Sure } from '../forms/sure';
import { Fact } from '../shell/fact';
import { Refused } from '../shell/states';
import { useFocusKept } from '../shell/use-focus-kept';
import { FullMoment, Moment } from '../times/moment';
import { addPasskey, withStepUp } from './passkeys';
import { ProviderCard } from './provider-card';
import { sessionQuestion } from './questions';

const WAY_WORDS = { link: 'A link', passkey: 'A passkey', oidc: 'The identity provider' };

export function AccountPage() {
  const { data: session } = useSuspenseQuery(sessionQuestion);
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: (everywhere: boolean) =>
      everywhere ? backOffice.DELETE('/api/sessions') : backOffice.DELETE('/api/session'),
    onSuccess: async () => {
      await navigate({ to: '/sign-in' });
      client.clear();
    },
  });
  return (
    <>
      <header className="page-header">
        <h1>Your account</h1>
      </header>
      <section className="card">
        <dl className="facts">
          <Fact name="Name">{session.person.name}</Fact>
          <Fact name="E-mail">{session.person.email}</Fact>
          <Fact name="Role">{ROLE_WORDS[session.role]}</Fact>
          <Fact name="Signed in">
            <FullMoment at={session.signed_in_at} />
          </Fact>
          <Fact name="Signed in with">{session.signed_in_by && WAY_WORDS[session.signed_in_by]}</Fact>
        </dl>
      </section>
      <Passkeys session={session} />
      <ProviderCard />
      <section className="card">
        <h2>Sign out</h2>
        <p className="quiet">Everywhere ends your sessions on all devices, this one included.</p>
        <div className="actions">
          <ActButton type="button" isBusy={signOut.isPending} onClick={() => signOut.mutate(false)}>
            Sign out
          </ActButton>
          <ActButton type="button" isBusy={signOut.isPending} onClick={() => signOut.mutate(true)}>
            Sign out everywhere
          </ActButton>
        </div>
        <Refused error={signOut.error} />
      </section>
    </>
  );
}

const passkeysQuestion = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await answered(backOffice.GET('/api/passkeys'))).data,
});

function Passkeys({ session: { passkeys } }: { session: Session }) {
  const client = useQueryClient();
  const onSuccess = () =>
    Promise.all(
      [sessionQuestion.queryKey, passkeysQuestion.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
  const add = useMutation({ mutationFn: (name: string) => withStepUp(() => addPasskey(name)), onSuccess });
  const remove = useMutation({
    mutationFn: (id: string) =>
      withStepUp(() => backOffice.DELETE('/api/passkeys/{passkey_id}', { params: { path: { passkey_id: id } } })),
    onSuccess,
  });
  const failed = lastError(add, remove);
  const { data } = useQuery(passkeysQuestion);
  const heading = useFocusKept(data?.length ?? 0);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    add.mutate(formText(form, 'name'), { onSuccess: () => form.reset() });
  };
  return (
    <section className="card">
      <h2 ref={heading} tabIndex={-1}>
        Passkeys
      </h2>
      {passkeys === 0 ? <p className="quiet">No passkey yet: add one, to sign in without a link.</p> : null}
      <ul className="rows" aria-label="Passkeys">
        {data?.map((passkey) => (
          <PasskeyRow
            key={passkey.passkey_id}
            passkey={passkey}
            isBusy={remove.isPending}
            remove={() => remove.mutate(passkey.passkey_id)}
          />
        ))}
      </ul>
      <form className="stack tight" onSubmit={submit}>
        <label className="field narrow">
          <span>Name of this device</span>
          <input name="name" type="text" required maxLength={100} autoComplete="off" />
        </label>
        <div className="actions">
          <ActButton type="submit" isBusy={add.isPending}>
            {add.isPending ? 'Waiting for your device…' : 'Add a passkey'}
          </ActButton>
        </div>
        <Refused error={failed} />
        <div aria-live="polite">
          {add.isSuccess && failed === null ? <p className="notice good">It was added.</p> : null}
        </div>
      </form>
    </section>
  );
}

interface PasskeyRowProps {
  passkey: Schema<'Passkey'>;
  isBusy: boolean;
  remove: () => void;
}

function PasskeyRow({ passkey: { name, created_at, last_used_at }, isBusy, remove }: PasskeyRowProps) {
  return (
    <li>
      <div>
        <p>
          <strong>{name}</strong>
        </p>
        <p className="quiet">
          Added <Moment at={created_at} />
          {last_used_at === null ? (
            ', not used yet'
          ) : (
            <>
              , last used <Moment at={last_used_at} />
            </>
          )}
        </p>
      </div>
      <div className="actions">
        <Sure what="Remove" question={`Remove ${name}?`} isBusy={isBusy} act={remove} />
      </div>
    </li>
  );
}
