import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Schema } from '../api/client';
import { AsOf } from '../shell/as-of';
import { Columns } from '../shell/columns';
import { choiceIn } from '../shell/search';
import { Answered, Empty } from '../shell/states';
import { Moment } from '../times/moment';
import { actsQuestion, type ActivitySearch, activitySearchOf, KINDS } from './questions';
import { aboutOf, actionWords, KIND_WORDS } from './words';

type Act = Schema<'Act'>;
type Person = Schema<'SeenMember'>;

/** What people have done at the console: an admin's own members, or the operator's people. */
export function ActivityPage() {
  const search = activitySearchOf(useSearch({ strict: false }));
  const answer = useQuery(actsQuestion(search));
  return (
    <>
      <header className="page-header">
        <h1>Activity</h1>
        <AsOf at={answer.dataUpdatedAt} keys={[['acts']]} />
      </header>
      <Filters search={search} shown={answer.data?.acts ?? []} />
      <Answered to={answer} what="what was done">
        {({ acts, earlier }) =>
          acts.length === 0 ? (
            <Empty title="Nothing of that kind was done">
              <Link className="button" to="/activity" search={{}}>
                Show everything
              </Link>
            </Empty>
          ) : (
            <section aria-label="Acts" aria-busy={answer.isPlaceholderData}>
              <Acts acts={acts} search={search} />
              <nav className="pages" aria-label="Pages">
                {search.before === undefined ? null : (
                  <Link className="button" to="/activity" search={({ before: _, ...rest }) => rest}>
                    Newest
                  </Link>
                )}
                {earlier === null ? null : (
                  <Link className="button" to="/activity" search={{ ...search, before: earlier }}>
                    Earlier
                  </Link>
                )}
              </nav>
            </section>
          )
        }
      </Answered>
    </>
  );
}

function Filters({ search, shown }: { search: ActivitySearch; shown: readonly Act[] }) {
  const navigate = useNavigate();
  const { kind, member } = search;
  const of = (changed: ActivitySearch) => void navigate({ to: '/activity', search: { ...changed } });
  const person = shown.find(({ by }) => by?.member_id === member)?.by;
  return (
    <section className="card" aria-label="Filters">
      <div className="actions">
        <label className="switch">
          <span>What</span>
          <select
            value={kind ?? ''}
            onChange={({ target }) => {
              const chosen = choiceIn(KINDS, target.value);
              of({ ...(member !== undefined && { member }), ...(chosen !== undefined && { kind: chosen }) });
            }}
          >
            <option value="">Everything</option>
            {KINDS.map((each) => (
              <option key={each} value={each}>
                {KIND_WORDS[each]}
              </option>
            ))}
          </select>
        </label>
        {member === undefined ? null : (
          <>
            <span>Only by {person ? nameOf(person) : <code>{member}</code>}</span>
            <button type="button" className="button small" onClick={() => of({ ...(kind !== undefined && { kind }) })}>
              By everyone
            </button>
          </>
        )}
      </div>
    </section>
  );
}

function Acts({ acts, search }: { acts: readonly Act[]; search: ActivitySearch }) {
  return (
    <table className="list labelled">
      <Columns names={['What', 'When', 'Who', 'About', 'Why']} />
      <tbody>
        {acts.map((act) => (
          <tr key={act.number}>
            <td>{actionWords(act.action)}</td>
            <td data-label="When">
              <Moment at={act.acted_at} style="second" />
            </td>
            <td data-label="Who">
              {act.by === null ? (
                'Your operator'
              ) : (
                <Link to="/activity" search={{ ...kindOf(search), member: act.by.member_id }}>
                  {nameOf(act.by)}
                </Link>
              )}
            </td>
            <td data-label="About">
              <Concerned act={act} />
            </td>
            <td data-label="Why">{act.reason ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const kindOf = ({ kind }: ActivitySearch): ActivitySearch => (kind === undefined ? {} : { kind });

function Concerned({ act }: { act: Act }) {
  const about = aboutOf(act);
  if (act.member === null && about.length === 0) return '–';
  return (
    <ul className="stack tight">
      {act.member === null ? null : <li>{nameOf(act.member)}</li>}
      {about.map(({ name, value, isId }) => (
        <li key={name}>
          <span className="quiet">{name}</span> {isId ? <code>{value}</code> : value}
        </li>
      ))}
    </ul>
  );
}

/** Roles that may not see personal data are told the id. */
const nameOf = ({ name, is_you: isYou, member_id: id }: Person) => (isYou ? 'You' : (name ?? <code>{id}</code>));
