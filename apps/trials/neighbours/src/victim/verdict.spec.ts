import { allowedMs, feltOf, findings, type Noticed } from './verdict';
import { type Kind, KINDS, type Observation } from './victim';

const alike = (kind: Kind, ms: number, count = 100): Observation[] =>
  Array.from({ length: count }, () => ({ kind, ms }));
const ofAllKinds = (ms: number): Observation[] => KINDS.flatMap((kind) => alike(kind, ms));
const unnoticed: Noticed = { before: ofAllKinds(20), during: ofAllKinds(40), died: [], calmAfterMs: 0 };

describe('the goal of an attack', () => {
  it('is met when nothing was noticed', () => {
    expect(findings(unnoticed)).toEqual([]);
  });

  it.each(KINDS)('is missed when the p99 of each %s is over what is allowed', (kind) => {
    const slow = unnoticed.during.map((one) => (one.kind === kind ? { ...one, ms: 251 } : one));
    expect(findings({ ...unnoticed, during: slow })).toEqual([`${kind} p99 251 ms, allowed 250`]);
  });

  it('allows ten times the p50 of before, and 250 ms in any case', () => {
    const [slow, quick] = [alike('read', 60), alike('read', 3)].map((times) => feltOf(times, 'read'));
    expect(slow && allowedMs(slow)).toBe(600);
    expect(quick && allowedMs(quick)).toBe(250);
  });

  it('is missed with one error, however quick', () => {
    const refused: Observation = { kind: 'read', ms: 5, error: 'GET /wallets/{id}: 503 unavailable' };
    expect(findings({ ...unnoticed, during: [...unnoticed.during, refused, refused] })).toEqual([
      '2 errors: GET /wallets/{id}: 503 unavailable',
    ]);
  });

  it.each(['read', 'write'] as const)('is missed when one %s in a thousand takes longer than 5 s', (kind) => {
    const during = [...ofAllKinds(40), ...alike(kind, 40, 1_000), { kind, ms: 5_001 }];
    expect(findings({ ...unnoticed, during })).toEqual([`a ${kind} took 5001 ms`]);
  });

  it('is missed when a service ended, also if it was started again', () => {
    expect(findings({ ...unnoticed, died: ['gateway'] })).toEqual(['gateway ended']);
  });

  it('is missed when the victim is not served as before afterwards', () => {
    expect(findings({ ...unnoticed, calmAfterMs: undefined })).toEqual([
      'the victim was not served as before when the attack was over',
    ]);
  });

  it('is missed when no request ended at all', () => {
    const during = unnoticed.during.filter(({ kind }) => kind !== 'read');
    expect(findings({ ...unnoticed, during })).toEqual(['no read ended']);
  });

  it('is not met without something to compare with', () => {
    expect(findings({ ...unnoticed, before: [] })).toHaveLength(KINDS.length);
  });

  it('on a busy machine is missed by errors, ended services and what takes 8 s, and not by a p99', () => {
    const slow = (ms: number): Noticed => ({ ...unnoticed, during: ofAllKinds(ms) });
    expect(findings(slow(7_999), true)).toEqual([]);
    expect(findings(slow(8_001), true)).toEqual(['a read took 8001 ms', 'a write took 8001 ms']);
    expect(findings({ ...slow(40), died: ['gateway'] }, true)).toEqual(['gateway ended']);
  });
});
