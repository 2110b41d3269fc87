import { countedIn } from './statement-log';

const LOG = `counted database=ledger LOG:  duration: 0.021 ms  parse s1: SELECT 1
counted database=ledger LOG:  duration: 0.034 ms  bind s1: SELECT 1
counted database=ledger LOG:  duration: 0.012 ms  execute s1: SELECT 1
counted database=ledger LOG:  duration: 0.008 ms  statement: BEGIN
counted database=payout LOG:  duration: 1.5 ms  execute <unnamed>: INSERT INTO payouts
	VALUES ('duration: 1 ms  statement:')
counted database=payout ERROR:  duplicate key
2026-01-01 LOG:  checkpoint starting: time
`;

it('an execution counts once, by its database; parsing, binding, errors and values do not', () => {
  expect(countedIn(LOG)).toEqual({ ledger: 2, payout: 1 });
});
