import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ActButton } from '../forms/act-button';
import { Refused } from '../shell/states';
import { sessionQuestion, signInWaysQuestion } from './questions';
import { signInByPasskey } from './passkeys';
import { useProviderRefusal } from './provider-refusals';
import { SignInFrame } from './sign-in-frame';

export function SignInPage() {
  const refused = useProviderRefusal();
  return (
    <SignInFrame title="Sign in">
      {refused === undefined ? null : (
        <p className="notice bad" role="alert">
          {refused}
        </p>
      )}
      <Ways />
      <h2>No passkey on this device?</h2>
      <p className="quiet">
        Open the invitation or sign-in link that you were sent, in this browser. An admin of your team can send you a
        new one.
      </p>
    </SignInFrame>
  );
}

function Ways() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: ways } = useQuery(signInWaysQuestion);
  const passkey = useMutation({
    mutationFn: signInByPasskey,
    onSuccess: async (session) => {
      client.setQueryData(sessionQuestion.queryKey, session);
      await navigate({ to: '/' });
    },
  });
  return (
    <>
      <ActButton
        type="button"
        className="button primary wide"
        isBusy={passkey.isPending}
        onClick={() => passkey.mutate()}
      >
        {passkey.isPending ? 'Waiting for your passkey…' : 'Sign in with a passkey'}
      </ActButton>
      {ways?.oidc ? (
        <a className="button wide" href="/api/session/oidc">
          Sign in with {ways.oidc.name}
        </a>
      ) : null}
      <Refused error={passkey.error} />
    </>
  );
}
