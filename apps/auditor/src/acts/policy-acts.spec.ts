import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { actHash, actsHead } from '@stablecoin/event-chain/operators-acts';
import { withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { judgedLog } from '@stablecoin/ledger-log/testing/driven-log';
import { OperatorsAct, readOperatorsActs } from './operators-acts';
import { PolicyActsCheck } from './policy-acts';

const log = judgedLog(3);
const events = withAskers(log.events);
const policies = events.filter(({ movement }) => movement === 'policy-changed');
const LATER = new Date('2027-01-01T00:00:00.000Z');

const actOf = (index: number): OperatorsAct => {
  const { command_id, merchant_id, recorded_at } = policies[index] ?? {
    command_id: '',
    merchant_id: '',
    recorded_at: '',
  };
  const details = { policy_version: index + 1, stated_at: recorded_at, command_id };
  return {
    number: index + 1,
    action: 'policies set',
    actor: 'an operator',
    reason: 'case 1',
    merchant_id,
    recorded_at,
    details,
  };
};
const ACTS = [actOf(0), actOf(1)];
const keptBack: OperatorsAct = {
  ...{ number: 3, action: 'policies set', actor: 'trent', reason: 'case 2', merchant_id: log.merchant_id },
  ...{
    recorded_at: '2026-11-21T14:00:00.000Z',
    details: { policy_version: 3, stated_at: '', command_id: 'kept back' },
  },
};
const ended = (how: string): OperatorsAct => ({
  ...{
    number: 4,
    action: `policies set ${how}`,
    actor: 'trent',
    reason: null,
    recorded_at: '2026-11-21T14:00:01.000Z',
  },
  details: { command_id: 'kept back' },
});

function compared(acts: readonly OperatorsAct[], { now = LATER, of = events } = {}) {
  const check = new PolicyActsCheck();
  check.follow(of.slice(0, 7));
  check.follow(of.slice(7));
  return check.compare(acts, now);
}

it('policies that the log has as operators have stated them are sound', () => {
  expect(compared(ACTS)).toEqual({ agreeing: 2, faults: [] });
});

it('one that the log lacks is found', () => {
  const { faults, agreeing } = compared([...ACTS, keptBack]);
  expect(agreeing).toBe(2);
  expect(faults).toEqual([
    `act 3, version 3 of the policy of merchant ${log.merchant_id} by trent at 2026-11-21T14:00:00.000Z, ` +
      'is not in the log: it was kept back',
  ]);
});

it('but one that the ledger has refused, that is just on its way, or of a version before', () => {
  const { details: _, ...bare } = keptBack;
  expect(compared([...ACTS, keptBack, ended('refused')]).faults).toEqual([]);
  expect(compared([...ACTS, keptBack], { now: new Date('2026-11-21T14:05:00.000Z') }).faults).toEqual([]);
  expect(compared([...ACTS, { ...bare, details: { policy: {} } }]).faults).toEqual([]);
});

it('one that was not answered is found unless another one was taken afterwards', () => {
  expect(compared([...ACTS, keptBack, ended('unanswered')]).faults).toHaveLength(1);
  const before = { ...keptBack, recorded_at: '2026-11-21T12:00:00.000Z' };
  expect(compared([before, ended('unanswered'), ...ACTS]).faults).toEqual([]);
});

it('one that the log has otherwise, or that is in no act, is found', () => {
  const other = { ...actOf(1), actor: 'mallory' };
  expect(compared([actOf(0), other]).faults).toEqual([
    expect.stringMatching(/is another one in the log, shard 3 position \d+$/),
  ]);
  const act = { ...keptBack, action: 'customers erase' };
  expect(compared([actOf(1), act]).faults).toEqual([
    `a policy that an operator is said to have stated, shard 3 position ${policies[0]?.position}, is in no act`,
  ]);
});

it('and also where the last act of all is dated in the past', () => {
  const act = { ...keptBack, action: 'customers erase' };
  const dated = { ...act, number: 4, recorded_at: '2020-01-01T00:00:00.000Z' };
  expect(compared([actOf(1), act, dated]).faults).toEqual([
    `a policy that an operator is said to have stated, shard 3 position ${policies[0]?.position}, is in no act`,
  ]);
});

describe('the record, as operators export it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acts-'));
  const file = join(folder, 'acts.jsonl');
  afterAll(() => rmSync(folder, { recursive: true }));
  let hash: Uint8Array = GENESIS_HASH;
  const lines = ACTS.map((act) => {
    const text = canonicalText(act as never);
    hash = actHash(hash, text);
    return JSON.stringify({ number: act.number, act: text, hash: Buffer.from(hash).toString('hex') });
  });
  const written = (...each: (string | undefined)[]) => {
    writeFileSync(file, `${each.join('\n')}\n`);
    return file;
  };

  it('is followed by its chain of hashes, to a head that was written down', () => {
    expect(readOperatorsActs(written(...lines), actsHead(2, hash))).toEqual(ACTS);
  });

  it.each<[string, () => (string | undefined)[], RegExp]>([
    ['without its first act', () => [lines[1]], /act 1 is missing: the next one stored is 2/],
    [
      'with another name',
      () => [lines[0]?.replace('an operator', 'trent'), lines[1]],
      /act 1 has a hash that does not fit/,
    ],
    ['cut off', () => [lines[0]], /act 2 is missing, or is not the one that was written down/],
    ['that is none', () => ['{}'], /line 1 is no act/],
  ])('%s is refused', (_name, each, problem) => {
    expect(() => readOperatorsActs(written(...each()), actsHead(2, hash))).toThrow(problem);
  });

  it('that is not there is refused', () => {
    expect(() => readOperatorsActs(join(folder, 'none'))).toThrow("can't be read");
  });
});
