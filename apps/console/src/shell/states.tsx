/** What stands where content would: still loading, nothing there, not possible. Each says what to do next. */
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Refusal } from '../api/refusal';

export function Loading({ what }: { what: string }) {
  return (
    <div className="state" role="status">
      <span className="spinner" aria-hidden="true" />
      <p>Loading {what}…</p>
    </div>
  );
}

export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      <div className="way-out">{children}</div>
    </div>
  );
}

/** An address that names no screen. */
export function NoPage() {
  return (
    <main className="state">
      <h1>There is no such page</h1>
      <p className="quiet">The address may be old, or have a slip in it.</p>
      <a className="button" href="/">
        Go to the first page
      </a>
    </main>
  );
}

const TITLES: Readonly<Record<number, string>> = {
  0: 'No connection',
  403: 'Your role does not include this',
  404: 'There is no such thing here',
  429: 'Too many questions at once',
};

/** What a person can do about it, by the kind of refusal. */
function wayOutOf({ status, message }: Refusal): string {
  if (status === 403) return 'An admin of your team can change your role.';
  if (status === 404) return 'Check the address; it may also belong to another merchant.';
  return message;
}

interface FailureProps {
  error: unknown;
  retry: () => void;
  /** h1 where it stands for a whole screen. */
  heading?: 'h1' | 'h2';
}

export function Failure({ error, retry, heading: Heading = 'h2' }: FailureProps) {
  const refusal = error instanceof Refusal ? error : new Refusal(-1, 'unexpected', String(error), null);
  const { status, requestId } = refusal;
  return (
    <div className="state" role="alert">
      <Heading>{TITLES[status] ?? 'This did not work'}</Heading>
      <p>{wayOutOf(refusal)}</p>
      <p>
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      </p>
      {requestId === null ? null : (
        <p className="quiet">
          If it stays so, tell your operator this: <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}

interface AnsweredProps<Data> {
  to: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** What is loaded, in words. */
  what: string;
  children: (data: Data) => ReactNode;
}

/** What was answered to a question; until then that it loads, or why it failed. An answer that is there stays where a later one fails. */
export function Answered<Data>({ to: { data, error, refetch }, what, children }: AnsweredProps<Data>) {
  if (data !== undefined) return children(data);
  return error === null ? <Loading what={what} /> : <Failure error={error} retry={() => void refetch()} />;
}

/** Why what a person has asked for was not done. */
export function Refused({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p className="notice bad" role="alert">
      {error.message}
    </p>
  );
}

/** A screen whose code or content failed, in the place of the screen. */
export function RouteFailure({ error }: { error: unknown }) {
  const router = useRouter();
  return <Failure error={error} retry={() => void router.invalidate()} heading="h1" />;
}
