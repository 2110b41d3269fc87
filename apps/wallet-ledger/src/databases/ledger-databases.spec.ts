import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { LedgerDatabases } from './ledger-databases';

const one = (name: string) => ({ name, database: {} as LedgerDatabase, reads: {} as LedgerDatabase });
const asked = <Result>(shard: number | undefined, work: () => Result) =>
  withRequestContext({ ...freshRequestContext(), shard }, work);

/** The name of the database, or the code of the refusal. */
function nameOf(databases: LedgerDatabases, shard: number | undefined): string {
  try {
    return asked(shard, () => databases.of()).name;
  } catch (error) {
    const { code, notExecuted } = error as Refusal;
    return `${code}, ${notExecuted ? 'not executed' : 'unknown'}`;
  }
}

const NOT_EXECUTED = 'unavailable, not executed';

it('has every shard, and what names none, where there is one', () => {
  const databases = LedgerDatabases.only({} as LedgerDatabase);
  expect([0, 7, undefined].map((shard) => nameOf(databases, shard))).toEqual(['home', 'home', 'home']);
});

describe('several databases', () => {
  let databases: LedgerDatabases;

  beforeEach(() => {
    databases = new LedgerDatabases([one('home'), one('b')]);
    databases.notePlaced('home', [{ shard: 0, epoch: 4n }]);
    databases.notePlaced('b', [{ shard: 1, epoch: 2n }]);
  });

  it('give the one that says that it has the shard', () => {
    expect([nameOf(databases, 0), nameOf(databases, 1)]).toEqual(['home', 'b']);
  });

  it('give none for a shard that none has, and for a request that names none', () => {
    expect([nameOf(databases, 2), nameOf(databases, undefined)]).toEqual([NOT_EXECUTED, NOT_EXECUTED]);
  });

  it('refuse what concerns a lost one until it is found, and nothing else', () => {
    databases.noteLost('b');
    expect([nameOf(databases, 0), nameOf(databases, 1)]).toEqual(['home', NOT_EXECUTED]);
    expect(databases.answering.map(({ name }) => name)).toEqual(['home']);
    databases.noteFound('b');
    expect(nameOf(databases, 1)).toBe('b');
  });

  it('are heard when each has said what it has, or counts as lost', () => {
    const begun = new LedgerDatabases([one('home'), one('b')]);
    begun.notePlaced('home', []);
    const heard = [begun.areHeard];
    begun.noteLost('b');
    heard.push(begun.areHeard);
    begun.noteFound('b');
    begun.notePlaced('b', []);
    heard.push(begun.areHeard);
    expect(heard).toEqual([false, true, true]);
  });

  it('follow a shard that moved, also before the one that it left was looked at again', () => {
    databases.notePlaced('b', [
      { shard: 0, epoch: 5n },
      { shard: 1, epoch: 2n },
    ]);
    expect({ name: nameOf(databases, 0), disputed: databases.isDisputed(0) }).toEqual({ name: 'b', disputed: true });
    databases.notePlaced('home', []);
    expect({ name: nameOf(databases, 0), disputed: databases.isDisputed(0) }).toEqual({ name: 'b', disputed: false });
  });
});
