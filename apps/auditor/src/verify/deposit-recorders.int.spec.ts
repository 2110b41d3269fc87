/** A deposit is ended by the service that recorded it, and a transfer credited once, whatever has been signed. */
import { DepositEndEvidence, DepositEvidence, EvidenceRail, signEvidence } from '@stablecoin/command-proofs/evidence';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { KEYS, secretOf, withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog } from '@stablecoin/ledger-log/testing/driven-log';
import { verify } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase | undefined;
afterEach(() => database?.drop());

type Rail = 'payout' | 'chain';
const RAIL_OF: Record<Rail, EvidenceRail> = { payout: 'sandbox', chain: 'chain' };

/** With what the service of a rail states of a deposit, in the place of who stated it. */
function statedBy(service: Rail, recorded: RecordedEvent): RecordedEvent {
  const { evidence = '', mode } = recorded.asked_by ?? {};
  const said = JSON.parse(evidence) as DepositEvidence | DepositEndEvidence;
  const place = service === 'chain' && said.type === 'deposit' && { ordinal: 0, block_number: 7, block_hash: '0xb' };
  const stated = { ...said, rail: RAIL_OF[service], ...place };
  const { text, signature } = signEvidence(secretOf(service), stated);
  return { ...recorded, asked_by: { service, mode, evidence: text, signature } };
}

function logOf(recorder: Rail, end: 'ConfirmDeposit' | 'FailDeposit' | 'ReverseDeposit', by: Rail) {
  const log = new DrivenLog(0);
  const wallet = log.openWallet('USDC', 'erc20');
  const seen = log.chainDeposit(wallet, '50', 'erc20');
  if (end === 'ReverseDeposit') log.deposited(seen, 'ConfirmDeposit');
  const from = log.events.length;
  log.deposited(seen, end);
  const events = withAskers(log.events).map((recorded, index) =>
    recorded.asked_by && recorded.movement.startsWith('deposit-') && recorded.movement !== 'deposit-address-added'
      ? statedBy(index < from ? recorder : by, recorded)
      : recorded,
  );
  log.events.splice(0, events.length, ...events);
  return { log, seen, position: from + 1 };
}

async function verified(log: DrivenLog, pageSize?: number) {
  database = await auditedDatabase([log]);
  return database.audit((ledger) => verify(ledger, { evidenceKeys: KEYS, pageSize }));
}

it.each([
  ['ConfirmDeposit', 'chain', 'payout'],
  ['FailDeposit', 'chain', 'payout'],
  ['ReverseDeposit', 'chain', 'payout'],
  ['ReverseDeposit', 'payout', 'chain'],
] as const)('%s of a deposit of %s by %s: found, with one sentence', async (end, recorder, by) => {
  const { log, seen, position } = logOf(recorder, end, by);
  const found = await verified(log, end === 'FailDeposit' ? 2 : undefined);
  const problem = `${by} ends deposit ${seen}, which ${recorder} has recorded`;
  expect(found).toMatchObject({
    ok: false,
    shards: [{ fault: null }],
    ended_by_others: [{ shard: 0, position, problem }],
  });
  const { text, json } = verificationReport(found, 1);
  expect(json).toMatchObject({ first_fault: { position } });
  expect(text.split('\n').filter((line) => line.startsWith('What to do'))).toEqual([
    expect.stringContaining('by the word of a service that has never seen it') as unknown,
  ]);
});

it.each([
  ['ConfirmDeposit', 'chain'],
  ['ReverseDeposit', 'chain'],
  ['FailDeposit', 'payout'],
] as const)('%s by %s, which recorded it, is intact', async (end, recorder) => {
  expect(await verified(logOf(recorder, end, recorder).log)).toMatchObject({ ok: true, ended_by_others: [] });
});

/** The ids of a chain's deposit are derived from its name: under another one its end would take the place of a command to come. */
it.each([
  ['ConfirmDeposit', 'confirm', null],
  ['FailDeposit', 'fail', null],
  ['ReverseDeposit', 'reverse', null],
  ['ConfirmDeposit', 'reverse', 'chain ends deposit'],
  ['FailDeposit', 'resolve', 'chain ends deposit'],
] as const)("%s under the id of a command to %s a chain's deposit", async (end, step, problem) => {
  const { log, seen, position } = logOf('chain', end, 'chain');
  const { command_id: recorded, asked_by } = log.events.find(({ movement }) => movement === 'deposit-recorded') ?? {};
  const { crypto_transaction_id } = JSON.parse(asked_by?.evidence ?? '') as DepositEvidence;
  const name = `deposit:1:${crypto_transaction_id}:0x${'a'.repeat(40)}:0:0`;
  const first = log.events.find(({ movement }) => movement === 'deposit-completed');
  const ids = new Map([
    [recorded, derivedUuid(`record-${name}`)],
    [first?.command_id, derivedUuid(`confirm-${name}`)],
    [log.events[position - 1]?.command_id, derivedUuid(`${step}-${name}`)],
  ]);
  const events = log.events.map((event) => {
    const command_id = ids.get(event.command_id);
    if (!command_id) return event;
    const of = { ...event, command_id };
    if (!event.asked_by) return of;
    const stated = { ...(JSON.parse(event.asked_by.evidence ?? '') as DepositEvidence), command_id };
    const named = stated.type === 'deposit' ? { ...stated, deposit_name: name } : stated;
    const { text: evidence, signature } = signEvidence(secretOf('chain'), named);
    return { ...of, asked_by: { ...event.asked_by, evidence, signature } };
  });
  log.events.splice(0, events.length, ...events);
  const { shards, ended_by_others } = await verified(log);
  expect({ shards, ended_by_others }).toMatchObject({
    shards: [{ fault: null }],
    ended_by_others: problem
      ? [{ shard: 0, position, problem: `${problem} ${seen} under an id that is not derived from it` }]
      : [],
  });
});

describe('a transfer on a chain', () => {
  /** Null: it waits. */
  type End = 'ConfirmDeposit' | 'FailDeposit' | null;
  interface Into {
    wallet: string;
    network?: 'polygon';
  }
  /** The chain service has seen it, and states it once more. */
  function logOfTwo(end: End, ordinals: readonly [number, number], into?: (log: DrivenLog) => Into) {
    const log = new DrivenLog(0);
    const wallet = log.openWallet('USDC', 'erc20');
    const hash = `0x${'AB'.repeat(32)}`;
    const first = log.chainDeposit(wallet, '50', 'erc20', hash);
    if (end !== null) log.deposited(first, end);
    const { wallet: other = wallet, network = 'erc20' } = into?.(log) ?? {};
    const second = log.events.length + 1;
    log.deposited(log.chainDeposit(other, '50', network, hash.toLowerCase()), 'ConfirmDeposit');
    let seen = 0;
    const events = withAskers(log.events).map((recorded) => {
      if (!recorded.asked_by || !/^deposit-(recorded|completed|failed)$/.test(recorded.movement)) return recorded;
      const of = statedBy('chain', recorded);
      if (recorded.movement !== 'deposit-recorded') return of;
      const stated = { ...(JSON.parse(of.asked_by?.evidence ?? '') as DepositEvidence), ordinal: ordinals[seen] ?? 0 };
      seen += 1;
      const { text, signature } = signEvidence(secretOf('chain'), stated);
      return { ...of, asked_by: { service: 'chain', evidence: text, signature } };
    });
    log.events.splice(0, events.length, ...events);
    return { log, second };
  }

  it('that is credited twice: found, with one sentence', async () => {
    const { log, second } = logOfTwo('ConfirmDeposit', [3, 3]);
    const found = await verified(log, 2);
    const problem = `credits transfer erc20 0x${'ab'.repeat(32)} 3 once more`;
    expect(found).toMatchObject({ ok: false, booked_twice: [{ shard: 0, position: second, problem }] });
    const { text } = verificationReport(found, 1);
    expect(text.split('\n').filter((line) => line.startsWith('What to do'))).toHaveLength(1);
  });

  it('that is recorded anew when its block was orphaned, or is another one of its transaction, is intact', async () => {
    expect(await verified(logOfTwo('FailDeposit', [3, 3]).log)).toMatchObject({ ok: true });
    await database?.drop();
    expect(await verified(logOfTwo(null, [3, 3]).log)).toMatchObject({ ok: true });
    await database?.drop();
    expect(await verified(logOfTwo('ConfirmDeposit', [3, 4]).log)).toMatchObject({ ok: true });
  });

  it('of another token of its transaction, or of another network, is intact', async () => {
    const usdt = (log: DrivenLog) => ({ wallet: log.openWallet('USDT', 'erc20') });
    expect(await verified(logOfTwo('ConfirmDeposit', [0, 0], usdt).log)).toMatchObject({ ok: true });
    await database?.drop();
    const polygon = (log: DrivenLog) => ({ wallet: log.openWallet('USDC', 'polygon'), network: 'polygon' as const });
    expect(await verified(logOfTwo('ConfirmDeposit', [0, 0], polygon).log)).toMatchObject({ ok: true });
  });

  it('that is credited to two wallets is found', async () => {
    const customers = (log: DrivenLog) => ({ wallet: log.openWallet('USDC', 'erc20', log.id()) });
    const { log, second } = logOfTwo('ConfirmDeposit', [0, 0], customers);
    const found = await verified(log);
    expect(found).toMatchObject({ ok: false, booked_twice: [{ shard: 0, position: second }] });
  });
});
