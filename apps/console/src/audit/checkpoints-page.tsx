import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '../api/client';
import { eventsText } from '../proof/events-text';
import { Columns } from '../shell/columns';
import { Pages } from '../shell/pages';
import { Answered, Empty } from '../shell/states';
import { Moment } from '../times/moment';
import { GrowthCard } from './growth-card';
import { checkpointsQuestion, shardsQuestion } from './questions';

type Checkpoint = Schema<'SignedCheckpoint'>;
const route = getRouteApi('/inside/checkpoints');

/** What the ledger has signed of its log, shard by shard. */
export function CheckpointsPage() {
  const { shard: asked, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const answer = useQuery(shardsQuestion);
  const shard = asked ?? answer.data?.[0]?.shard;
  return (
    <>
      <header className="page-header">
        <h1>Checkpoints</h1>
      </header>
      <Answered to={answer} what="shards">
        {(shards) =>
          shard === undefined ? (
            <Empty title="No shard yet">
              <p>The ledger makes its shards when it starts for the first time.</p>
            </Empty>
          ) : (
            <div className="stack">
              <Shards
                shards={shards}
                shown={shard}
                choose={(chosen) => void navigate({ to: '/checkpoints', search: { shard: chosen } })}
              />
              <Signed
                key={shard}
                shard={shard}
                page={page}
                go={(to) => void navigate({ to: '/checkpoints', search: { shard, page: to } })}
              />
            </div>
          )
        }
      </Answered>
    </>
  );
}

interface ShardsProps {
  shards: readonly Schema<'Shard'>[];
  shown: number;
  choose: (shard: number) => void;
}

function Shards({ shards, shown, choose }: ShardsProps) {
  const latest = shards.find(({ shard }) => shard === shown);
  const behind = latest && latest.events - (latest.checkpoint?.size ?? 0);
  return (
    <section className="card stack tight">
      <label className="field narrow">
        <span>Shard</span>
        <select value={shown} onChange={({ target }) => choose(Number(target.value))}>
          {shards.map(({ shard, events }) => (
            <option key={shard} value={shard}>
              {shard}: {eventsText(events)}
            </option>
          ))}
        </select>
      </label>
      {latest === undefined || behind === undefined ? null : (
        <p className="quiet">
          {behind === 0 ? 'Every event is signed.' : `${eventsText(behind)} came after the newest checkpoint.`}
        </p>
      )}
      <p className="quiet">
        Which witnesses have seen these, <code>audit witnesses</code> says, beside the ledger’s database. A check of the
        whole log is a <Link to="/verification">verification</Link>.
      </p>
    </section>
  );
}

/** By what was signed: of the same size there may be another log after a while, which was not chosen. */
const isAmong = (chosen: readonly Checkpoint[], { checkpoint }: Checkpoint) =>
  chosen.some((one) => one.checkpoint === checkpoint);

function Signed({ shard, page, go }: { shard: number; page: number; go: (page: number) => void }) {
  const [chosen, setChosen] = useState<readonly Checkpoint[]>([]);
  const answer = useQuery(checkpointsQuestion(shard, page));
  return (
    <Answered to={answer} what="checkpoints">
      {(data) => {
        if (data.data.length === 0)
          return (
            <Empty title="Nothing signed yet">
              <p>The shard’s owner signs the first checkpoint soon after its first event.</p>
            </Empty>
          );
        const choose = (checkpoint: Checkpoint) =>
          setChosen((before) =>
            isAmong(before, checkpoint)
              ? before.filter((one) => !isAmong([checkpoint], one))
              : [...before, checkpoint].slice(-2),
          );
        return (
          <>
            <section className="audit-list" aria-label="Checkpoints signed">
              <CheckpointTable rows={data.data} chosen={chosen} choose={choose} />
              <Pages pagination={data.pagination} nouns={['checkpoint', 'checkpoints']} go={go} />
            </section>
            <GrowthCard shard={shard} chosen={chosen} />
          </>
        );
      }}
    </Answered>
  );
}

interface TableProps {
  rows: readonly Checkpoint[];
  chosen: readonly Checkpoint[];
  choose: (checkpoint: Checkpoint) => void;
}

function CheckpointTable({ rows, chosen, choose }: TableProps) {
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label="Table of checkpoints">
      <table className="list audit">
        <Columns names={['Compare', 'Events', 'Signed', 'Key', 'Root']} />
        <tbody>
          {rows.map((checkpoint) => (
            <tr key={checkpoint.size}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Compare the checkpoint of ${eventsText(checkpoint.size)}`}
                  checked={isAmong(chosen, checkpoint)}
                  onChange={() => choose(checkpoint)}
                />
              </td>
              <td>{checkpoint.size.toLocaleString('en')}</td>
              <td>
                <Moment at={checkpoint.created_at} style="second" />
              </td>
              <td>
                <code title={checkpoint.verifier_key}>{checkpoint.key_id}</code>
              </td>
              <td>
                <code>{checkpoint.root}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
