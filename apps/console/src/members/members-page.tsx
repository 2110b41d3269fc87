import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { answered, backOffice, type Schema, type Session } from '../api/client';
import { ActButton } from '../forms/act-button';
import { formText } from '../forms/form-text';
import { lastError } from '../forms/last-error';
import { Sure } from '../forms/sure';
import { withStepUp } from '../session/passkeys';
import { sessionQuestion } from '../session/questions';
import { type Show, ShownOnce, useShownOnce } from '../shell/shown-once';
import { Answered, Refused } from '../shell/states';
import { useFocusKept } from '../shell/use-focus-kept';
import { Moment } from '../times/moment';
import { isRoleOf, ROLES, ROLE_WORDS, type Role } from '../session/roles';

type Member = Schema<'Member'>;

const membersQuestion = queryOptions({
  queryKey: ['members'],
  queryFn: async () => (await answered(backOffice.GET('/api/members'))).data,
});

export function MembersPage() {
  const { data: session } = useSuspenseQuery(sessionQuestion);
  const answer = useQuery(membersQuestion);
  const heading = useFocusKept(answer.data?.length ?? 0);
  const { show, ...made } = useShownOnce(heading);
  return (
    <>
      <header className="page-header">
        <h1 ref={heading} tabIndex={-1}>
          Members
        </h1>
      </header>
      <div className="stack">
        <Invitation side={session.side} show={show} />
        <ShownOnce {...made} what="invitation" done="I have sent it" />
        <Answered to={answer} what="members">
          {(data) => (
            <ul className="card rows" aria-label="Members">
              {data.map((member) => (
                <MemberRow key={member.member_id} member={member} session={session} />
              ))}
            </ul>
          )}
        </Answered>
      </div>
    </>
  );
}

function MemberRow({ member, session }: { member: Member; session: Session }) {
  const client = useQueryClient();
  const params = { path: { member_id: member.member_id } };
  const onSuccess = () => client.invalidateQueries({ queryKey: ['members'] });
  const change = useMutation({
    mutationFn: (role: Role) =>
      withStepUp(() => backOffice.PATCH('/api/members/{member_id}', { params, body: { role } })),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => withStepUp(() => backOffice.DELETE('/api/members/{member_id}', { params })),
    onSuccess,
  });
  const failed = lastError(change, remove);
  const isOneself = member.person_id === session.person.person_id;
  return (
    <li>
      <div>
        <p>
          <strong>{member.name}</strong> {isOneself ? <span className="badge neutral">You</span> : null}
          {member.status === 'active' ? null : <span className="badge waiting">{member.status}</span>}
        </p>
        <p className="quiet">{member.email}</p>
        <p className="quiet">
          {member.last_seen_at === null ? (
            'Never signed in'
          ) : (
            <>
              Last seen <Moment at={member.last_seen_at} />
            </>
          )}
        </p>
      </div>
      <div className="actions">
        <select
          aria-label={`Role of ${member.name}`}
          value={member.role}
          disabled={isOneself || change.isPending}
          onChange={({ target }) => change.mutate(target.value as Role)}
        >
          {ROLES[session.side].map((role) => (
            <option key={role} value={role}>
              {ROLE_WORDS[role]}
            </option>
          ))}
        </select>
        {isOneself ? null : (
          <Sure
            what="Remove"
            question={`Remove ${member.name}?`}
            isBusy={remove.isPending}
            act={() => remove.mutate()}
          />
        )}
      </div>
      <Refused error={failed} />
    </li>
  );
}

function Invitation({ side, show }: { side: Session['side']; show: Show }) {
  const client = useQueryClient();
  const invite = useMutation({
    mutationFn: (body: { email: string; name: string; role: Role }) =>
      withStepUp(() => answered(backOffice.POST('/api/invitations', { body }))),
    gcTime: 0,
    onSuccess: ({ link: text, expires_at: expires }, { name }) => {
      show({ text, note: <SendTo name={name} until={expires} /> });
      return client.invalidateQueries({ queryKey: ['members'] });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = (name: string) => formText(event.currentTarget, name);
    const role = text('role');
    if (isRoleOf(side, role)) invite.mutate({ email: text('email'), name: text('name'), role });
  };
  return (
    <section className="card">
      <h2>Invite someone</h2>
      <form className="invitation" onSubmit={submit}>
        <label className="field">
          <span>Name</span>
          <input name="name" type="text" required maxLength={100} autoComplete="off" />
        </label>
        <label className="field">
          <span>E-mail</span>
          <input name="email" type="email" required maxLength={254} autoComplete="off" />
        </label>
        <label className="field">
          <span>Role</span>
          <select name="role">
            {ROLES[side].map((role) => (
              <option key={role} value={role}>
                {ROLE_WORDS[role]}
              </option>
            ))}
          </select>
        </label>
        <ActButton type="submit" className="button primary" isBusy={invite.isPending}>
          Invite
        </ActButton>
      </form>
      <Refused error={invite.error} />
    </section>
  );
}

function SendTo({ name, until }: { name: string; until: string }) {
  return (
    <>
      Send this link to {name} by a way that you trust. It works once, until <Moment at={until} />, and is not shown
      again.
    </>
  );
}
