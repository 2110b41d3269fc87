import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { ActButton } from '../forms/act-button';
import { formText } from '../forms/form-text';
import { lastError } from '../forms/last-error';
import { Sure } from '../forms/sure';
import { withStepUp } from '../session/passkeys';
import { type Show, ShownOnce, useShownOnce } from '../shell/shown-once';
import { Answered, Empty, Refused } from '../shell/states';
import { useFocusKept } from '../shell/use-focus-kept';
import { Moment } from '../times/moment';
import { EventsCard } from './events-card';
import { webhooksQuestion } from './questions';
import { noteOf, outcomeOf, takes } from './words';

type Webhook = Schema<'Webhook'>;

export function WebhooksPage() {
  const answer = useQuery(webhooksQuestion);
  const heading = useFocusKept(answer.data?.length ?? 0);
  const { show, ...made } = useShownOnce(heading);
  return (
    <>
      <header className="page-header">
        <h1 ref={heading} tabIndex={-1}>
          Webhooks
        </h1>
      </header>
      <div className="stack">
        <NewEndpoint show={show} />
        <ShownOnce {...made} what="secret" />
        <Answered to={answer} what="endpoints">
          {(data) =>
            data.length === 0 ? (
              <Empty title="No endpoint yet">
                <p>Name a URL of yours above: every event of your account is sent to it, signed.</p>
              </Empty>
            ) : (
              <ul className="card rows" aria-label="Endpoints">
                {data.map((webhook) => (
                  <Endpoint key={webhook.id} webhook={webhook} show={show} />
                ))}
              </ul>
            )
          }
        </Answered>
        <EventsCard />
      </div>
    </>
  );
}

function NewEndpoint({ show }: { show: Show }) {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: (body: { url: string; description: string | null }) =>
      withStepUp(() => answered(backOffice.POST('/api/webhooks', { body }))),
    gcTime: 0,
    onSuccess: ({ data: { secret: text, url } }) => {
      show({ text, note: noteOf(`Events to ${url} are signed with this secret.`) });
      return client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const description = formText(form, 'description');
    const body = { url: formText(form, 'url'), description: description === '' ? null : description };
    add.mutate(body, { onSuccess: () => form.reset() });
  };
  return (
    <section className="card">
      <h2>Add an endpoint</h2>
      <form className="new-endpoint" onSubmit={submit}>
        <label className="field">
          <span>URL</span>
          <input name="url" type="url" required maxLength={2048} autoComplete="off" placeholder="https://" />
        </label>
        <label className="field">
          <span>What for</span>
          <input name="description" type="text" maxLength={255} autoComplete="off" />
        </label>
        <ActButton type="submit" className="button primary" isBusy={add.isPending}>
          Add
        </ActButton>
      </form>
      <Refused error={add.error} />
    </section>
  );
}

function Endpoint({ webhook, show }: { webhook: Webhook; show: Show }) {
  const client = useQueryClient();
  const { id: webhook_id, status, url } = webhook;
  const params = { path: { webhook_id } };
  const onSuccess = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const other = status === 'enabled' ? 'disabled' : 'enabled';
  const change = useMutation({
    mutationFn: () =>
      withStepUp(() => backOffice.PUT('/api/webhooks/{webhook_id}', { params, body: { status: other } })),
    onSuccess,
  });
  const rotate = useMutation({
    mutationFn: () =>
      withStepUp(() => answered(backOffice.POST('/api/webhooks/{webhook_id}/rotate-secret', { params, body: {} }))),
    gcTime: 0,
    onSuccess: ({ data: { secret: text } }) =>
      show({
        text,
        note: noteOf(`Events to ${url} are signed with this secret, and with the one before for 24 hours.`),
      }),
  });
  const test = useMutation({
    mutationFn: () => answered(backOffice.POST('/api/webhooks/{webhook_id}/test', { params, body: {} })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['events'] }),
  });
  const remove = useMutation({
    mutationFn: () => withStepUp(() => backOffice.DELETE('/api/webhooks/{webhook_id}', { params })),
    onSuccess,
  });
  const failed = lastError(change, rotate, test, remove);
  const isBusy = [change, rotate, test, remove].some(({ isPending }) => isPending);
  return (
    <li>
      <div>
        <p>
          <code className="url">{url}</code>{' '}
          {status === 'enabled' ? null : <span className="badge waiting">Disabled</span>}
        </p>
        <p className="quiet">{[webhook.description, takes(webhook)].filter((part) => part !== null).join(' · ')}</p>
        <p className="quiet">
          Added <Moment at={webhook.created_at} />
        </p>
      </div>
      <div className="actions">
        <ActButton type="button" isBusy={isBusy} onClick={() => test.mutate()}>
          {test.isPending ? 'Sending…' : 'Send a test'}
        </ActButton>
        <ActButton type="button" isBusy={isBusy} onClick={() => change.mutate()}>
          {status === 'enabled' ? 'Disable' : 'Enable'}
        </ActButton>
        <Sure what="New secret" question="Replace the secret?" isBusy={isBusy} act={() => rotate.mutate()} />
        <Sure what="Delete" question="Delete this endpoint?" isBusy={isBusy} act={() => remove.mutate()} />
      </div>
      <Refused error={failed} />
      <div aria-live="polite">{test.isSuccess ? <TestOutcome test={test.data.data} /> : null}</div>
    </li>
  );
}

function TestOutcome({ test }: { test: Schema<'WebhookTest'> }) {
  const outcome = outcomeOf(test);
  if (test.outcome === 'delivered') return <p className="notice good">The test was delivered: {outcome}.</p>;
  if (test.outcome === 'failed') return <p className="notice bad">The test was not delivered: {outcome}.</p>;
  return <p className="notice">The receiver has not answered yet: look at the events below.</p>;
}
