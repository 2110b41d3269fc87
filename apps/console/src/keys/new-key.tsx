import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { ActButton } from '../forms/act-button';
import { formText } from '../forms/form-text';
import { withStepUp } from '../session/passkeys';
import type { Show } from '../shell/shown-once';
import { Refused } from '../shell/states';
import { addressesOf, noteOf, SCOPE_WORDS } from './words';

type Scope = Schema<'Scope'>;

interface Props {
  /** What a new key can be given. */
  grantable: readonly Scope[];
  show: Show;
}

export function NewKey({ grantable, show }: Props) {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (body: { name: string; scopes: Scope[]; allowed_addresses: string[] }) =>
      withStepUp(() => answered(backOffice.POST('/api/keys', { body }))),
    gcTime: 0,
    onSuccess: ({ data: { api_key: text } }, { name }) => {
      show({ text, note: noteOf(`This is the key ${name}.`) });
      return client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const scopes = grantable.filter((scope) => new FormData(form).getAll('scopes').includes(scope));
    const body = { name: formText(form, 'name'), scopes, allowed_addresses: addressesOf(formText(form, 'addresses')) };
    create.mutate(body, { onSuccess: () => form.reset() });
  };
  return (
    <section className="card">
      <h2>Create a key</h2>
      {grantable.length === 0 ? (
        <p className="quiet">None of your keys is valid any more: ask your operator for a new one.</p>
      ) : (
        <form className="new-key" onSubmit={submit}>
          <label className="field">
            <span>Name, such as the program that uses it</span>
            <input name="name" type="text" required maxLength={100} autoComplete="off" />
          </label>
          <fieldset className="choices">
            <legend>What it may do</legend>
            {grantable.map((scope) => (
              <label key={scope}>
                <input name="scopes" type="checkbox" value={scope} defaultChecked={scope === 'read'} />
                <span>
                  <code>{scope}</code> {SCOPE_WORDS[scope]}
                </span>
              </label>
            ))}
          </fieldset>
          <label className="field">
            <span>Addresses from which it may be used; none: from everywhere</span>
            <textarea name="addresses" rows={2} placeholder="203.0.113.7, 198.51.100.0/24" autoComplete="off" />
          </label>
          <div className="actions">
            <ActButton type="submit" className="button primary" isBusy={create.isPending}>
              Create the key
            </ActButton>
          </div>
        </form>
      )}
      <p className="quiet">
        A key can do no more than your valid keys together. You approve no payout that your own key has created. Keys
        that approve payouts are made by your operator alone, who says whose key is whose.
      </p>
      <Refused error={create.error} />
    </section>
  );
}
