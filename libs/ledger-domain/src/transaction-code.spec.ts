import { SHARDS_MAX, transactionCode } from './transaction-code';

describe('the code of a transaction', () => {
  it('is 10 characters A–Z 0–9, different for every position in every shard', () => {
    const codes = new Set<string>();
    for (const shard of [0, 1, 7, SHARDS_MAX - 1]) {
      for (let position = 1; position <= 25_000; position += 1) codes.add(transactionCode(shard, position));
    }
    expect(codes.size).toBe(100_000);
    expect([...codes].every((code) => /^[A-Z0-9]{10}$/.test(code))).toBe(true);
  });

  it('never changes, because merchants store it', () => {
    expect([transactionCode(0, 1), transactionCode(3, 1_000_000)]).toMatchInlineSnapshot(`
     [
       "F5OTZQCR90",
       "HRHSJNB1KX",
     ]
    `);
  });
});
