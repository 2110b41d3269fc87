import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { answered, backOffice } from '../api/client';
import { sessionQuestion } from './questions';
import { SignInFrame } from './sign-in-frame';

/** A one-time link. Its secret stands behind the #, which no server sees, and leaves the address at once. */
export function LinkPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [failed, setFailed] = useState<string>();
  const begun = useRef(false);
  useEffect(() => {
    // A link works once: the second run of an effect in development must not spend it again.
    if (begun.current) return;
    begun.current = true;
    const token = location.hash.slice(1);
    history.replaceState(history.state, '', location.pathname);
    answered(backOffice.POST('/api/session/link', { body: { token } })).then(
      (session) => {
        client.setQueryData(sessionQuestion.queryKey, session);
        return navigate({ to: session.passkeys === 0 ? '/account' : '/', replace: true });
      },
      (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)),
    );
  }, [client, navigate]);
  if (failed === undefined) {
    return (
      <SignInFrame title="Signing you in">
        <p role="status">One moment…</p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="This link does not work">
      <p className="notice bad" role="alert">
        {failed}
      </p>
      <p className="quiet">A link works once, and not for long. Ask the person who sent it for a new one.</p>
      <Link to="/sign-in" className="button wide">
        Sign in with a passkey
      </Link>
    </SignInFrame>
  );
}
