import { Sql } from '@stablecoin/persistence/sql';
import { clockFaultOf, clockOffsetMs } from './clock-offset';

const clockFault = async (sql: Sql) => clockFaultOf(await clockOffsetMs(sql));

/** A database whose clock is so far ahead of ours, and which takes so long to answer. */
const database = (aheadMs: number, answerMs = 0) =>
  ({
    $queryRaw: async () => {
      const now = Date.now() + aheadMs;
      jest.setSystemTime(Date.now() + answerMs);
      return [{ now }];
    },
  }) as unknown as Sql;

describe('the clock, by the database', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
  afterEach(() => jest.useRealTimers());

  it.each([0, 4_999, -4_999])('%s ms away is no fault', async (offset) => {
    expect(await clockFault(database(offset))).toBeUndefined();
  });

  it('further away is one', async () => {
    expect(await clockFault(database(-3_600_000))).toBe("3600000 ms ahead of the database's");
    expect(await clockFault(database(5_001))).toBe("5001 ms behind the database's");
  });

  it('has an offset, below 0 where it is behind', async () => {
    expect([await clockOffsetMs(database(-700)), await clockOffsetMs(database(700))]).toEqual([700, -700]);
  });

  it('is not blamed for an answer that was long on its way', async () => {
    expect(await clockFault(database(6_000, 9_000))).toBeUndefined();
  });
});
