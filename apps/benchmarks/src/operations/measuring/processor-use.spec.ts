import { timesIn } from '../../processor-time';
import { databaseIn, perOperation, Reading, shareOf, total, usedBetween } from './processor-use';

const reading = (processes: Record<string, number>, postgres: Partial<Reading['postgres']>): Reading => ({
  processes,
  postgres: { backends: new Map(), postmasterMs: 0, endedMs: 0, ...postgres },
});

describe("a process's times", () => {
  it("are read past a name with spaces and brackets, its ended children's apart", () => {
    const stat = '42 (a ) name) S 7 42 42 0 -1 4194304 99 0 0 0 11 12 130 140 20 0 1 0 2910846';
    expect(timesIn(stat)).toEqual({ parent: 7, ownMs: 230, endedChildrenMs: 2_700 });
  });
});

describe("a backend's title", () => {
  it.each([
    ['postgres: ledger_app ledger 127.0.0.1(40512) idle', 'ledger'],
    ['postgres: plain_owner plain 127.0.0.1(1) SELECT\0\0', 'plain'],
    ['postgres: checkpointer ', undefined],
    ['postgres: autovacuum worker ledger', undefined],
    ['/opt/postgres -D /data', undefined],
  ])('%j names %j', (title, database) => expect(databaseIn(title)).toBe(database));
});

describe('between two readings', () => {
  it('each process and each database has what it used, and the server what serves all of them', () => {
    const before = reading(
      { gateway: 100, nats: 10 },
      { backends: new Map([[1, { database: 'ledger', ms: 50 }]]), postmasterMs: 5 },
    );
    const after = reading(
      { gateway: 160, nats: 25 },
      {
        backends: new Map([
          [1, { database: 'ledger', ms: 80 }],
          [2, { database: 'ledger', ms: 20 }],
          [3, { database: 'payout', ms: 7 }],
          [4, { ms: 9 }],
        ]),
        postmasterMs: 6,
      },
    );
    expect(usedBetween(before, after)).toEqual({
      ...{ gateway: 60, nats: 15, 'postgres ledger': 50, 'postgres payout': 7 },
      ...{ 'postgres server': 10, 'postgres ended': 0 },
    });
  });

  it('a backend that ended is counted once, less what it had used before', () => {
    const before = reading({}, { backends: new Map([[1, { database: 'ledger', ms: 50 }]]), endedMs: 1_000 });
    const after = reading({}, { endedMs: 1_080 });
    expect(usedBetween(before, after)['postgres ended']).toBe(30);
  });
});

it('a share has its own processes and databases, and the server', () => {
  const used = { gateway: 4, floor: 2, 'postgres ledger': 3, 'postgres plain': 5, 'postgres server': 1, nats: 1 };
  const share = shareOf(used, { processes: ['gateway', 'nats'], databases: ['ledger'] });
  expect(share).toEqual({ gateway: 4, nats: 1, 'postgres ledger': 3, 'postgres server': 1 });
  expect(total(share)).toBe(9);
  expect(perOperation(share, 2)).toEqual({ gateway: 2, nats: 0.5, 'postgres ledger': 1.5, 'postgres server': 0.5 });
});
