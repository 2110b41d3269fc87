import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import {
  ApprovalEvidence,
  DepositEvidence,
  Evidence,
  PolicyEvidence,
  signEvidence,
} from '@stablecoin/command-proofs/evidence';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { AskedBy, Movement, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { eventRows } from '@stablecoin/ledger-store/event-rows';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import { randomUUID } from 'node:crypto';
import { KEYS, secretOf, withAskers } from '../testing/asked-log';
import { eventfulLog, fundedByChain, judgedLog } from '../testing/driven-log';
import { AskerRules, NamelessUntil } from './asker-rules';
import { LogInspector } from './log-inspector';

const SHARD = 4;
const log = eventfulLog(SHARD);
const asked = withAskers(log.events);
/** Of a merchant with a policy. */
const judged = withAskers(judgedLog(SHARD).events);

/** What an auditor finds, with the chain of hashes made anew. */
function foundBy(keys: typeof KEYS | undefined, events: readonly RecordedEvent[], ledger?: NamelessUntil) {
  const tally = { checked: 0, unchecked: 0 };
  const inspector = new LogInspector(SHARD, new AskerRules(keys, tally, ledger));
  eventRows(events, GENESIS_HASH).forEach((row) => inspector.follow(row));
  inspector.finish(inspector.head);
  return { position: inspector.fault?.position, problem: inspector.fault?.problem, ...tally };
}
const found = (events: readonly RecordedEvent[]) => foundBy(KEYS, events);

function firstOf(movement: Movement): RecordedEvent & { asked_by: AskedBy } {
  const first = asked.find((recorded) => recorded.movement === movement && recorded.asked_by);
  if (!first?.asked_by) throw new Error(`no ${movement}`);
  return { ...first, asked_by: first.asked_by };
}

/** What is found in the log with another asker of one command. */
function changed(movement: Movement, change: Partial<AskedBy>) {
  const { position, asked_by } = firstOf(movement);
  return found(
    asked.map((recorded) =>
      recorded.position === position ? { ...recorded, asked_by: { ...asked_by, ...change } } : recorded,
    ),
  );
}

function restated(movement: Movement, terms: object) {
  const { evidence = '', service } = firstOf(movement).asked_by;
  const stated = { ...(JSON.parse(evidence) as Evidence), ...terms };
  const { text, signature } = signEvidence(secretOf(service), stated);
  return changed(movement, { evidence: text, signature });
}

it('a log that says who asked, and what they stated, is sound', () => {
  const stated = asked.filter(({ asked_by }) => asked_by?.evidence).length;
  expect(stated).toBeGreaterThan(8);
  expect(found(asked)).toEqual({ position: undefined, problem: undefined, checked: stated, unchecked: 0 });
  expect(foundBy(undefined, asked)).toEqual({ position: undefined, problem: undefined, checked: 0, unchecked: stated });
});

// A commit takes whole commands.
it('a log that is judged while it grows is sound at the end of each command', () => {
  const tally = { checked: 0, unchecked: 0 };
  const inspector = new LogInspector(SHARD, new AskerRules(KEYS, tally));
  const rows = eventRows(asked, GENESIS_HASH);
  rows.forEach((row, index) => {
    inspector.follow(row);
    if (asked[index + 1]?.command_id !== asked[index]?.command_id) inspector.finish(inspector.head);
  });
  expect(inspector.fault).toBeUndefined();
  expect(tally.checked).toBe(found(asked).checked);
});

it('a payout that a merchant’s key has rejected fails by the gateway, or by backoffice, and by no other service but payout', () => {
  const rejected = judged.find(
    ({ movement, event }) => movement === 'payout-failed' && event.type === 'PayoutRejected',
  );
  if (!rejected?.asked_by) throw new Error('no rejection');
  const by = (service: string) =>
    found(judged.map((one) => (one === rejected ? { ...one, asked_by: { service, mode: 'test' as const } } : one)));
  expect(rejected.asked_by).toEqual({ service: 'gateway', mode: 'test' });
  expect(by('payout').problem).toBeUndefined();
  expect(by('backoffice').problem).toBeUndefined();
  for (const service of ['customer', 'swap-pricing', 'operator', 'chain'])
    expect(by(service)).toMatchObject({
      position: rejected.position,
      problem: `${service} asked for a payout-failed, which it may not`,
    });
});

describe("a person's approval", () => {
  const approved = judged.find(({ event }) => event.type === 'PayoutApproved');
  if (approved?.event.type !== 'PayoutApproved') throw new Error('no approval');
  const { transaction, approval_hash, signer } = approved.event;
  const { merchant_id, command_id, position } = approved;
  const device = SoftwareDevice.at('https://console.example');
  const stated: ApprovalEvidence = {
    ...{ type: 'approval', merchant_id, transaction, approval_hash, ...signer, command_id },
    ...device.signs(Buffer.from(approval_hash, 'hex')),
  };
  const by = (asked_by: AskedBy) => found(judged.map((one) => (one === approved ? { ...one, asked_by } : one)));
  const stating = (terms: object, service = 'backoffice') => {
    const { text: evidence, signature } = signEvidence(secretOf(service), { ...stated, ...terms });
    return by({ service: 'backoffice', mode: 'test', evidence, signature });
  };

  it('that a passkey has signed is sound, the payout named by its id or its code', () => {
    expect(stating({}).problem).toBeUndefined();
    expect(stating({ transaction: 'K7Q2ZP9X4B' }).problem).toBeUndefined();
  });

  it.each([
    ...[
      { merchant_id: 'another' },
      { command_id: 'another' },
      { approval_hash: 'cd'.repeat(32) },
      { key_id: 'another' },
    ],
    ...[{ signer_id: 'another' }, { transaction: randomUUID() }, { transaction: 7 }],
  ])('that states something else is found: %j', (terms) => {
    expect(stating(terms)).toMatchObject({
      position,
      problem: `is not what backoffice stated: ${Object.keys(terms).join()}`,
    });
  });

  it('whose passkey has signed something else is found', () => {
    expect(stating(device.signs(Buffer.alloc(32, 1)))).toMatchObject({
      position,
      problem: 'is approved by a person, whose passkey has signed no such approval',
    });
  });

  it('without what the passkey signed is found, and so is one that another service states', () => {
    expect(by({ service: 'backoffice', mode: 'test' }).problem).toBe(
      'backoffice states nothing of this payout-released',
    );
    expect(stating({}, 'payout').problem).toBe('what backoffice should have stated is signed by none of its keys');
  });
});

it('a payout that arrives is asked for by no backoffice', () => {
  const first = judged.find((one) => one.movement === 'payout-completed' && one.asked_by);
  const asked_by = { ...(first?.asked_by as AskedBy), service: 'backoffice' };
  expect(found(judged.map((one) => (one === first ? { ...one, asked_by } : one))).problem).toBe(
    'backoffice asked for a payout-completed, which it may not',
  );
});

describe('a policy', () => {
  const first = judged.find(({ movement }) => movement === 'policy-changed');
  if (!first?.asked_by) throw new Error('no policy');
  const by = (changes: Partial<AskedBy>) =>
    found(
      judged.map((one) => (one === first ? { ...one, asked_by: { ...(first.asked_by as AskedBy), ...changes } } : one)),
    );
  const stating = (terms: object, service = 'operator') => {
    const stated = { ...(JSON.parse(first.asked_by?.evidence ?? '') as Evidence), ...terms };
    const { text: evidence, signature } = signEvidence(secretOf(service), stated);
    return by({ evidence, signature });
  };

  it('that an operator has stated is sound', () => {
    expect(found(judged).problem).toBeUndefined();
    expect(stating({}).problem).toBeUndefined();
  });

  it('that a service asked for, or states, is found', () => {
    for (const service of ['gateway', 'payout'])
      expect(by({ service }).problem).toBe(`${service} asked for a policy-changed, which it may not`);
    expect(stating({}, 'payout').problem).toBe('what operator should have stated is signed by none of its keys');
  });

  it.each([
    ...[{ policy: '{}' }, { changed_by: 'somebody else' }, { reason: 'another' }, { merchant_id: 'another' }],
    { command_id: 'another' },
  ])('that is not what an operator stated is found: %j', (terms) => {
    expect(stating(terms)).toMatchObject({
      position: first.position,
      problem: `is not what operator stated: ${Object.keys(terms).join()}`,
    });
  });

  const policies = judged.filter(({ movement }) => movement === 'policy-changed');
  const numbered = (index: number, terms: object) => {
    const [one, at] = [policies[index], policies[index]?.position];
    const { mode, evidence = '' } = one?.asked_by ?? {};
    const { policy_version: _, stated_at: __, ...bare } = JSON.parse(evidence) as PolicyEvidence;
    const { text, signature } = signEvidence(secretOf('operator'), { ...bare, ...terms });
    const asked_by = { service: 'operator', mode, evidence: text, signature };
    return { position: at, asked_by };
  };
  const foundWith = (...changes: ReturnType<typeof numbered>[]) =>
    found(
      judged.map((one) => {
        const change = changes.find(({ position }) => position === one.position);
        return change ? { ...one, asked_by: change.asked_by } : one;
      }),
    );
  const stated_at = policies[1]?.recorded_at ?? '';
  const after = (minutes: number) => new Date(Date.parse(stated_at) + minutes * 60_000).toISOString();

  it.each([
    [
      { policy_version: 1, stated_at },
      'is version 2 of the policy, stated as version 1: it was stated for an earlier time',
    ],
    [
      { policy_version: 3, stated_at },
      'is version 2 of the policy, stated as version 3: what was stated in between was not taken',
    ],
    [{ policy_version: 2, stated_at: after(-90) }, `was stated at ${after(-90)}, and taken 90 minutes later`],
    [{ policy_version: 2, stated_at: after(20) }, `was stated at ${after(20)}, and taken 20 minutes before`],
    [{ policy_version: 2 }, 'is a policy whose statement has a number and no time'],
    [{}, 'is a policy whose statement has neither number nor time, as one before it had'],
  ])('stated as %j is found', (terms, problem) => {
    expect(foundWith(numbered(1, terms))).toMatchObject({ position: policies[1]?.position, problem });
  });

  it('stated a few minutes before it is taken is sound', () => {
    expect(foundWith(numbered(1, { policy_version: 2, stated_at: after(-9) })).problem).toBeUndefined();
  });

  it('of a version before, which states neither number nor time, is sound as long as none before it has them', () => {
    expect(foundWith(numbered(0, {}), numbered(1, {})).problem).toBeUndefined();
    expect(foundWith(numbered(0, {})).problem).toBeUndefined();
  });

  it('without an asker is sound until a day after the first with one, whenever services began to name theirs', () => {
    const bare = ({ asked_by: _, ...one }: RecordedEvent): RecordedEvent => one;
    expect(policies).toHaveLength(2);
    const later = (days: number) => (one: RecordedEvent) => ({
      ...one,
      recorded_at: new Date(Date.parse(one.recorded_at) + days * 86_400_000).toISOString(),
    });
    const [, second] = policies;
    const from = judged.findIndex(({ position }) => position === second?.position);
    const withoutAny = judged.map((one) => (one.movement === 'policy-changed' ? bare(one) : one));
    expect(found(withoutAny.map((one, index) => (index < from ? one : later(2)(one)))).problem).not.toBe(
      'names no service that asked for it',
    );
    const withoutSecond = judged.map((one) => (one === second ? bare(one) : one));
    expect(found(withoutSecond.map((one, index) => (index < from ? one : later(2)(one))))).toMatchObject({
      position: second?.position,
      problem: 'names no service that asked for it',
    });
  });
});

it('a log of a version before, which says nothing of it, is sound', () => {
  expect(found(log.events).problem).toBeUndefined();
});

it.each<[Movement, string]>([
  ['swap-accepted', 'payout'],
  ['deposit-recorded', 'swap-pricing'],
  ['payout-accepted', 'payout'],
  ['payout-completed', 'gateway'],
  ['wallet-opened', 'customer'],
  // Where a rail has had it; what a merchant's key has rejected is the gateway's.
  ['payout-failed', 'gateway'],
])('a %s that %s asked for is found', (movement, service) => {
  expect(changed(movement, { service })).toMatchObject({
    position: firstOf(movement).position,
    problem: `${service} asked for a ${movement}, which it may not`,
  });
});

it.each<[Movement, object, string]>([
  ['swap-accepted', { to_amount: '1' }, 'to'],
  ['swap-accepted', { from_amount: '1' }, 'from'],
  ['swap-accepted', { price: '7' }, 'price'],
  ['swap-accepted', { customer_id: 'another' }, 'customer_id'],
  ['swap-accepted', { swap_id: 'another' }, 'swap_id'],
  ['swap-accepted', { valid_until: '2020-01-01T00:00:00.000Z' }, 'valid_until'],
  ['deposit-recorded', { amount: '7' }, 'amount'],
  ['deposit-recorded', { wallet_id: 'another' }, 'wallet_id'],
  ['deposit-recorded', { merchant_id: 'another' }, 'merchant_id'],
  ['deposit-recorded', { command_id: 'another' }, 'command_id'],
  ['deposit-reversed', { to: 'FAILED' }, 'to'],
  ['payout-completed', { reference: 'another' }, 'reference'],
  ['payout-completed', { transaction: '0'.repeat(36) }, 'transaction'],
])('a %s of which its service stated %j is found', (movement, terms, names) => {
  expect(restated(movement, terms).problem).toContain(`stated: ${names}`);
});

describe("a chain's deposit", () => {
  const DAY_MS = 24 * 3_600_000;
  const driven = fundedByChain(SHARD);
  driven.chainDeposit(driven.openWallet('USDC', 'erc20', driven.id()), '7', 'erc20');
  const events = withAskers(driven.events);
  const deposits = events.filter(({ movement, asked_by }) => movement === 'deposit-recorded' && asked_by);
  const [first, second] = deposits;
  if (!first || !second) throw new Error('no deposits');
  const hashOf = ({ asked_by }: RecordedEvent) =>
    (JSON.parse(asked_by?.evidence ?? '') as DepositEvidence).crypto_transaction_id ?? '';
  const nameOf = (deposit: RecordedEvent, round: number | string = 0) =>
    `deposit:1:${hashOf(deposit)}:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48:0:${round}`;
  const recording = (name: string) => derivedUuid(`record-${name}`);

  interface Named {
    id: string;
    name?: string;
    laterMs?: number;
  }
  /** What is found of the second one, after a first one that is as it should be. */
  function foundOf({ id, name, laterMs = 0 }: Named, firstName: string | undefined = nameOf(first as RecordedEvent)) {
    const named = new Map([
      [first?.command_id, { id: recording(nameOf(first as RecordedEvent)), name: firstName || undefined, laterMs: 0 }],
      [second?.command_id, { id, name, laterMs }],
    ]);
    return found(
      events.map((recorded) => {
        const as = named.get(recorded.command_id);
        if (!as) return recorded;
        const moved = {
          ...{ ...recorded, command_id: as.id },
          recorded_at: new Date(Date.parse(recorded.recorded_at) + as.laterMs).toISOString(),
        };
        if (!recorded.asked_by) return moved;
        const place = { rail: 'chain' as const, ordinal: 0, block_number: 7, block_hash: '0xb' };
        const was = JSON.parse(recorded.asked_by.evidence ?? '') as DepositEvidence;
        const stated = { ...was, ...place, command_id: as.id, ...(as.name && { deposit_name: as.name }) };
        const { text: evidence, signature } = signEvidence(secretOf('chain'), stated);
        return { ...moved, asked_by: { service: 'chain', evidence, signature } };
      }),
    ).problem;
  }
  const PROBLEM = 'chain states a deposit of the chain under an id that is not derived from it';

  it('under the id that is derived from its name is sound', () => {
    for (const name of [nameOf(second), nameOf(second, 3), nameOf(second, `0:${randomUUID()}`)])
      expect(foundOf({ id: recording(name), name })).toBeUndefined();
  });

  it.each<[string, Named]>([
    ['of another command', { id: randomUUID(), name: nameOf(second) }],
    ["of a payout's end", { id: derivedUuid('resolve-payout:1:COMPLETED'), name: 'resolve-payout:1:COMPLETED' }],
    ['of another transfer', { id: recording(nameOf(first, 1)), name: nameOf(first, 1) }],
    ['of another command, a day later and without a name', { id: randomUUID(), laterMs: DAY_MS }],
  ])('under the id %s is found', (_name, named) => {
    expect(foundOf(named)).toBe(PROBLEM);
  });

  it('without a name is of a version before: for a day under any id, then under one that follows from its transfer', () => {
    expect(foundOf({ id: randomUUID() })).toBeUndefined();
    expect(foundOf({ id: randomUUID(), laterMs: DAY_MS }, '')).toBeUndefined();
    expect(foundOf({ id: recording(nameOf(second, 2)), laterMs: DAY_MS })).toBeUndefined();
  });
});

it('a quote whose amounts are not those of its price is found, though they were booked so', () => {
  const text = JSON.stringify(log.events).replaceAll('"92.50000000"', '"90000.00000000"');
  expect(found(withAskers(JSON.parse(text) as RecordedEvent[])).problem).toBe(
    'is not what swap-pricing stated: amount at this price',
  );
});

it('a deposit that is credited as it is seen, and was stated as not confirmed, is found', () => {
  expect(restated('deposit-recorded', { confirmed: false })).toMatchObject({
    position: firstOf('deposit-recorded').position + 1,
    problem: 'credits what payout stated as not confirmed yet',
  });
});

it('a deposit that is credited, and was rejected by screening as its own statement says, is found', () => {
  expect(restated('deposit-completed', { screening: { decision: 'rejected', lists: [] } }).problem).toBe(
    'payout states that screening has rejected the deposit, which is credited',
  );
  expect(restated('deposit-completed', { screening: { decision: 'released', lists: [] } }).problem).toBeUndefined();
});

it('an approval that the payout service asked for is found', () => {
  const first = judged.find(({ event }) => event.type === 'PayoutApproved');
  const asked_by = { service: 'payout', mode: 'test' as const };
  expect(found(judged.map((one) => (one === first ? { ...one, asked_by } : one))).problem).toBe(
    'payout asked for an approval, which it may not',
  );
});

it('a statement that no key of the service has signed is found', () => {
  const forger = new CallerSecret('payout', Buffer.alloc(32, 9));
  const stated = JSON.parse(firstOf('deposit-recorded').asked_by.evidence ?? '') as Evidence;
  expect(changed('deposit-recorded', { signature: signEvidence(forger, stated).signature }).problem).toBe(
    'what payout should have stated is signed by none of its keys',
  );
});

it('a statement of another kind is found', () => {
  const { evidence, signature } = firstOf('payout-completed').asked_by;
  expect(changed('deposit-recorded', { evidence, signature }).problem).toContain('payout states no deposit');
});

it('a live merchant whom the sandbox credited is found', () => {
  expect(changed('deposit-recorded', { mode: 'live' }).problem).toBe('the sandbox credits a live merchant');
});

it('a merchant who is live in one command and of the sandbox in another is found', () => {
  expect(changed('payout-accepted', { mode: 'live' })).toMatchObject({
    position: firstOf('payout-accepted').position,
    problem: "is asked for as a live merchant's, who has been test before",
  });
});

describe('a command without an asker', () => {
  const DAY_MS = 24 * 3_600_000;
  const bare = ({ asked_by: _, ...nameless }: RecordedEvent): RecordedEvent => nameless;
  const later = (recorded: RecordedEvent, ms: number): RecordedEvent => ({
    ...recorded,
    recorded_at: new Date(Date.parse(recorded.recorded_at) + ms).toISOString(),
  });
  const { position: from } = firstOf('payout-completed');
  const nameless = { position: from, problem: 'names no service that asked for it' };
  /** The log of a ledger that was upgraded after its first command: from `from` on an older service's again, so much later. */
  const upgraded = (afterMs: number) => {
    const [first] = asked;
    return asked.map((recorded) => {
      if (recorded.position >= from) return bare(later(recorded, afterMs));
      return recorded.command_id === first?.command_id ? bare(recorded) : recorded;
    });
  };

  it('is an older service’s for a day after an upgrade, and then found', () => {
    expect(found(upgraded(0)).problem).toBeUndefined();
    expect(found(upgraded(DAY_MS))).toMatchObject(nameless);
  });

  it('is found at once in a log whose first command names its asker', () => {
    const events = asked.map((recorded) => (recorded.position >= from ? bare(recorded) : recorded));
    expect(found(events)).toMatchObject(nameless);
  });

  it('and so is one whose asker states nothing', () => {
    const unstated = (events: readonly RecordedEvent[]) =>
      found(
        events.map((recorded) =>
          recorded.movement === 'deposit-recorded' && recorded.asked_by
            ? { ...recorded, asked_by: { service: recorded.asked_by.service } }
            : recorded,
        ),
      );
    expect(unstated(asked)).toMatchObject({
      position: firstOf('deposit-recorded').position,
      problem: 'payout states nothing of this deposit-recorded',
    });
    expect(unstated(upgraded(0)).problem).toBeUndefined();
  });

  it('is judged by when the whole ledger began to name askers, where that is known', () => {
    const events = asked.map((recorded) => (recorded.position >= from ? bare(recorded) : recorded));
    const at = Date.parse(asked.find(({ position }) => position === from)?.recorded_at ?? '');
    expect(foundBy(KEYS, events, { namelessUntil: at + DAY_MS }).problem).toBeUndefined();
    expect(foundBy(KEYS, events, { namelessUntil: at - 1 })).toMatchObject(nameless);
    expect(foundBy(KEYS, log.events, { namelessUntil: -Infinity })).toMatchObject({ ...nameless, position: 1 });
  });
});

it('an asker on an event that begins no command is found', () => {
  const { position } = firstOf('payout-accepted');
  const events = asked.map((recorded) =>
    recorded.position === position + 1 ? { ...recorded, asked_by: { service: 'gateway' } } : recorded,
  );
  expect(found(events)).toMatchObject({ position: position + 1 });
});
