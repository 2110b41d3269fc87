import { countedViolations, lateLine, violationLines } from './findings';

it('finds fault with any kind of violation, counts all of them and names the first', () => {
  const many = Array.from({ length: 30 }, (_, index) => `payout ${index}`);
  const counted = countedViolations({ lost: many, doubled: [] });
  expect(counted).toMatchObject({ ok: false, violations: { lost: 30, doubled: 0 } });
  expect(counted.named).toEqual({ lost: many.slice(0, 20) });
  expect(violationLines(counted).slice(0, 3)).toEqual(['  30 lost, 0 doubled', '  !! lost', '     payout 0']);
  expect(countedViolations({ lost: [], doubled: [] })).toMatchObject({ ok: true, named: {} });
});

it('says where times are not judged', () => {
  const late = { over_the_deadline: 1, slow_recoveries: 2 };
  expect(lateLine(late, true)).toBe('  1 requests over the deadline, 2 recoveries slower than promised');
  expect(lateLine(late, false)).toMatch(/told, not judged$/);
});
