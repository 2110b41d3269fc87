import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { setTimeout as delay } from 'node:timers/promises';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { PLACE_VALID_MS } from '@stablecoin/ledger-store/placement/shard-rows';
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

  describe('answer reads of a shard', () => {
    const read = (shard: number | undefined) =>
      asked(shard, () => databases.forReads()).then(
        ({ name }) => name,
        (error: Refusal) => `${error.code}, ${error.notExecuted ? 'not executed' : 'unknown'}`,
      );
    const ago = (ms: number) => performance.now() - ms;

    it('where it is', async () => {
      expect([await read(0), await read(1), await read(2), await read(undefined)]).toEqual([
        ...['home', 'b', NOT_EXECUTED, NOT_EXECUTED],
      ]);
    });

    it('where it arrives, and not while it is reserved for a mover or with neither', async () => {
      databases.notePlaced('home', [{ shard: 0, epoch: 4n, departs: true }]);
      let answered = '';
      const reading = read(0).then((name) => (answered = name));
      await delay(20);
      databases.notePlaced('home', []);
      await delay(20);
      expect(answered).toBe('');
      databases.notePlaced('b', [{ shard: 0, epoch: 6n }]);
      expect(await reading).toBe('b');
    });

    it('where it was said to be, but not by a look that is too old to know of a move', async () => {
      databases.notePlaced('home', [{ shard: 0, epoch: 4n }], ago(PLACE_VALID_MS - 100));
      expect(await read(0)).toBe('home');
      databases.notePlaced('home', [{ shard: 0, epoch: 4n }], ago(PLACE_VALID_MS));
      let answered = '';
      const reading = read(0).then((name) => (answered = name));
      await delay(20);
      expect(answered).toBe('');
      databases.notePlaced('home', [{ shard: 0, epoch: 4n }]);
      expect(await reading).toBe('home');
    });

    it('not at all once that is not known for longer than a move takes, or the database is lost', async () => {
      databases.notePlaced('home', [{ shard: 0, epoch: 4n }], ago(1_950));
      const began = performance.now();
      expect(await read(0)).toBe(NOT_EXECUTED);
      expect(performance.now() - began).toBeLessThan(1_000);
      databases.notePlaced('home', [{ shard: 0, epoch: 4n, departs: true }]);
      databases.noteLost('home');
      expect(await read(0)).toBe(NOT_EXECUTED);
    });
  });
});
