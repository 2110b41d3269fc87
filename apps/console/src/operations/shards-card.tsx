import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../api/client';
import { Columns } from '../shell/columns';
import { Answered } from '../shell/states';
import { Moment } from '../times/moment';
import { shardsQuestion } from './questions';

type Shard = Schema<'Shards'>['shards'][number];

/** Who writes which part of the log. */
export function ShardsCard() {
  const answer = useQuery(shardsQuestion);
  return (
    <section className="card" aria-labelledby="shards">
      <h2 id="shards">Shards of the ledger</h2>
      <Answered to={answer} what="shards">
        {(data) =>
          data.shards.length === 0 && data.lost_databases.length === 0 ? (
            <p className="quiet">No instance of the ledger has taken a shard yet: is wallet-ledger running?</p>
          ) : (
            <ShardsTable {...data} />
          )
        }
      </Answered>
    </section>
  );
}

/** Which database a shard is on is of interest where there are several. */
function ShardsTable({ shards, lost_databases: lost }: Schema<'Shards'>) {
  const areSeveral = lost.length > 0 || new Set(shards.map(({ database }) => database)).size > 1;
  return (
    <>
      {lost.length === 0 ? null : (
        <p role="alert">
          No answer from {lost.length === 1 ? 'database' : 'databases'} {lost.join(', ')}: the shards there are not in
          this list.
        </p>
      )}
      <table className="list labelled">
        <Columns
          names={[
            ...['Shard', ...(areSeveral ? ['Database'] : [])],
            ...['State', 'Owner', 'Lease until', 'Changed hands', 'Events'],
          ]}
        />
        <tbody>
          {shards.map((shard) => (
            <ShardRow key={shard.shard} shard={shard} isDatabaseShown={areSeveral} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function ShardRow({ shard, isDatabaseShown }: { shard: Shard; isDatabaseShown: boolean }) {
  const { holder, is_held: isHeld, lease_expires_at: until, reserved_until: reserved } = shard;
  return (
    <tr>
      <td data-label="Shard">{shard.shard}</td>
      {isDatabaseShown ? <td data-label="Database">{shard.database}</td> : null}
      <td data-label="State">
        {isHeld ? <span className="badge good">Owned</span> : <span className="badge bad">No owner</span>}
        {reserved === null ? null : (
          <>
            {' '}
            <span className="badge waiting">Reserved</span> until <Moment at={reserved} />
          </>
        )}
      </td>
      <td data-label="Owner">{holder === null ? '–' : <code className="url">{holder}</code>}</td>
      <td data-label="Lease until">{until === null ? '–' : <Moment at={until} style="second" />}</td>
      <td data-label="Changed hands">{shard.epoch.toLocaleString('en')}</td>
      <td data-label="Events">{shard.head_position.toLocaleString('en')}</td>
    </tr>
  );
}
