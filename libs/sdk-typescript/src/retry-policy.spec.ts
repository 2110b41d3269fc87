import { mayBeSentAgain, Outcome, outcomeUnknownAfter, retryAfterMsOf, waitMsAfter } from './retry-policy';

const answered = (status: number, code?: string, rest: Partial<Outcome> = {}): Outcome =>
  ({ kind: 'answered', status, code, notExecuted: false, ...rest }) as Outcome;
const broken: Outcome = { kind: 'broken', sent: true };
const refused: Outcome = { kind: 'broken', sent: false };

describe('What is sent again', () => {
  it.each([
    ['no connection', refused, true],
    ['a connection that broke', broken, true],
    ['no answer in time', { kind: 'timed-out' } as const, true],
    ['rate_limited', answered(429, 'rate_limited'), true],
    ['unavailable', answered(503, 'unavailable'), true],
    ['a proxy that did not reach the service', answered(502), true],
    ['a proxy that waited too long', answered(504), true],
    ['idempotency_in_flight', answered(409, 'idempotency_in_flight'), true],
    ['internal_error', answered(500, 'internal_error'), true],
    ['a refusal by a rule', answered(422, 'insufficient_funds'), false],
    ['a conflict', answered(409, 'quote_used'), false],
    ['a proof that is not there yet', answered(409, 'proof_pending'), false],
    ['invalid fields', answered(400, 'validation_failed'), false],
    ['an error page of somebody else', answered(500), false],
    ['the end by the caller', { kind: 'aborted' } as const, false],
  ])('%s: %#', (_, outcome, again) => {
    expect(mayBeSentAgain(outcome)).toBe(again);
  });
});

describe('The wait before the next attempt', () => {
  const waits = (outcome: Outcome, random: number) =>
    [1, 2, 3, 6, 20].map((attempt) => waitMsAfter(outcome, attempt, () => random));

  it('is drawn below a bound that doubles up to eight seconds', () => {
    expect(waits(broken, 0)).toEqual([0, 0, 0, 0, 0]);
    expect(waits(broken, 1)).toEqual([250, 500, 1_000, 8_000, 8_000]);
    expect(waits(broken, 0.5)).toEqual([125, 250, 500, 4_000, 4_000]);
  });

  it('is never shorter than what the service asked for', () => {
    expect(waits(answered(503, 'unavailable', { retryAfterMs: 3_000 }), 0)).toEqual(Array(5).fill(3_000));
  });

  it('is asked for in seconds or as a date', () => {
    const nowMs = Date.parse('2026-11-23T10:00:00Z');
    expect(retryAfterMsOf('2', nowMs)).toBe(2_000);
    expect(retryAfterMsOf('Mon, 23 Nov 2026 10:00:05 GMT', nowMs)).toBe(5_000);
    expect(retryAfterMsOf('Mon, 23 Nov 2026 09:00:00 GMT', nowMs)).toBe(0);
    expect([null, 'soon', '-1x'].map((header) => retryAfterMsOf(header, nowMs))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('Whether a write may have taken effect', () => {
  it.each([
    ['no connection', refused, false],
    ['a connection that broke', broken, true],
    ['no answer in time', { kind: 'timed-out' } as const, true],
    ['the end by the caller', { kind: 'aborted' } as const, true],
    ['internal_error', answered(500, 'internal_error'), true],
    ['unavailable', answered(503, 'unavailable'), true],
    ['unavailable before anything was done', answered(503, 'unavailable', { notExecuted: true }), false],
    ['an attempt that still runs', answered(409, 'idempotency_in_flight'), true],
    ['a proxy that gave up', answered(504), true],
    ['rate_limited', answered(429, 'rate_limited'), false],
    ['a refusal by a rule', answered(422, 'insufficient_funds'), false],
  ])('after %s alone: %#', (_, outcome, unknown) => {
    expect(outcomeUnknownAfter(outcome, false)).toBe(unknown);
  });

  it('stays unknown after a refusal that came before the key was looked at', () => {
    const early = [401, 403, 429].map((status) => answered(status, 'any'));
    const notExecuted = answered(503, 'unavailable', { notExecuted: true });
    expect([...early, notExecuted, refused].map((outcome) => outcomeUnknownAfter(outcome, true))).toEqual(
      Array(5).fill(true),
    );
  });

  it('is settled by a refusal that came after', () => {
    const late = [400, 404, 409, 422].map((status) => answered(status, 'any'));
    expect(late.map((outcome) => outcomeUnknownAfter(outcome, true))).toEqual(Array(4).fill(false));
  });
});
