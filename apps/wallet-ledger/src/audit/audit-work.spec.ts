import { setImmediate as turn } from 'node:timers/promises';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ProofDocument } from '@stablecoin/event-proofs/proof-documents';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { AuditWork } from './audit-work';

const auditWork = (poolSize = 20) => new AuditWork(Object.assign(new WalletLedgerConfiguration(), { poolSize }));

/** Work that lasts until it is ended. */
function openWork(audit: AuditWork, deadlineMs = 60_000) {
  const state = { begun: false, end: (): void => undefined };
  const until = new Promise<void>((resolve) => (state.end = resolve));
  const done = withRequestContext({ requestId: 'spec', deadline: Date.now() + deadlineMs }, () =>
    audit.run(() => {
      state.begun = true;
      return until;
    }),
  );
  return { state, done };
}

const begunOf = (works: { state: { begun: boolean } }[]) => works.map(({ state }) => state.begun);

describe('audits', () => {
  it('three at once; the others wait and begin in the order in which they came', async () => {
    const audit = auditWork();
    const works = Array.from({ length: 5 }, () => openWork(audit));
    await turn();
    expect(begunOf(works)).toEqual([true, true, true, false, false]);
    works[1]?.state.end();
    await turn();
    expect(begunOf(works)).toEqual([true, true, true, true, false]);
    works.forEach(({ state }) => state.end());
    await turn();
    works.forEach(({ state }) => state.end());
    await Promise.all(works.map(({ done }) => done));
  });

  it.each([
    [4, 1],
    [8, 2],
    [12, 3],
  ])('of a pool of %i, half of which reads, at most %i at once: look-ups and lists go on', async (poolSize, atOnce) => {
    const audit = auditWork(poolSize);
    const works = Array.from({ length: 5 }, () => openWork(audit));
    await turn();
    expect(begunOf(works).filter(Boolean)).toHaveLength(atOnce);
    for (let round = 0; round < works.length; round += 1) {
      works.forEach(({ state }) => state.end());
      await turn();
    }
    await Promise.all(works.map(({ done }) => done));
  });

  it('that would wait behind 512 others are refused at once, not executed', async () => {
    const audit = auditWork();
    const works = Array.from({ length: 515 }, () => openWork(audit));
    const refusal = (await openWork(audit).done.catch((error: unknown) => error)) as Refusal;
    expect(refusal).toMatchObject({ code: 'unavailable', notExecuted: true });
    works.forEach(({ state }) => state.end());
    await Promise.all(works.map(({ done }) => done));
  });

  it('whose deadline has passed are not begun, and hold up none behind them', async () => {
    const audit = auditWork();
    const first = [openWork(audit), openWork(audit), openWork(audit)];
    const late = openWork(audit, -1);
    const last = openWork(audit);
    const refused = late.done.catch((error: unknown) => error);
    first.forEach(({ state }) => state.end());
    expect(await refused).toMatchObject({ code: 'unavailable', notExecuted: true });
    await turn();
    expect(begunOf([late, last])).toEqual([false, true]);
    last.state.end();
    await last.done;
  });
});

describe('a proof', () => {
  const document = { events: [] } as unknown as ProofDocument;

  it('is made once, also for requests that come while it is being made', async () => {
    const audit = auditWork();
    let made = 0;
    const make = async () => {
      made += 1;
      await turn();
      return document;
    };
    await Promise.all([audit.document('one', make), audit.document('one', make)]);
    await audit.document('one', make);
    expect(made).toBe(1);
    await audit.document('other', make);
    expect(made).toBe(2);
  });

  it('that could not be made is made anew for the next request', async () => {
    const audit = auditWork();
    await expect(audit.document('one', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await audit.document('one', () => Promise.resolve(document))).toBe(document);
  });
});
