/**
 * What a ledger that was taken over could do to its merchants' money, with its key and with what services have truly stated: each
 * signature is right, each sum too, and a rule was passed over.
 */
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import type { DepositEvidence } from '@stablecoin/command-proofs/evidence';
import type { Transaction } from '@stablecoin/ledger-domain/entities';
import type { EventGroup, LedgerEvent, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { KEYS, secretOf, withAskers } from '../testing/asked-log';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog } from '../testing/driven-log';
import { verify } from './verify';

let database: AuditedDatabase | undefined;
afterEach(() => database?.drop());

async function verified(log: DrivenLog, change = (events: RecordedEvent[]) => events) {
  log.events.splice(0, log.events.length, ...change(withAskers(log.events)));
  database = await auditedDatabase([log]);
  const found = await database.audit((ledger) => verify(ledger, { evidenceKeys: KEYS }));
  return found.shards[0]?.fault?.problem ?? (found.ok ? 'Intact' : JSON.stringify({ ...found, shards: undefined }));
}

const eachEvent = (change: (event: LedgerEvent) => LedgerEvent) => (groups: EventGroup[]) =>
  groups.map((group) => ({ ...group, events: group.events.map(change) }));
const notClosed = { isClosed: () => false };
const isClosed = { isClosed: () => true };
const ofType = (log: DrivenLog, transaction_type: Transaction['transaction_type']) => ({
  transaction: (id: string) => {
    const found = log.state.transaction(id);
    return found && { ...found, transaction_type };
  },
});

function funded(amount = '5000') {
  const log = new DrivenLog(0);
  const usd = log.openWallet('USD');
  log.deposit(usd, amount);
  return { log, usd, merchant_id: log.merchant_id };
}
function customers(amount = '100') {
  const { log, merchant_id } = funded();
  const customer_id = log.id();
  const wallet = log.openWallet('USD', null, customer_id);
  if (amount !== '0') log.deposit(wallet, amount);
  return { log, merchant_id, customer_id, wallet };
}
const say = (name: string, log: DrivenLog, change?: (events: RecordedEvent[]) => RecordedEvent[]) =>
  verified(log, change).then((problem) => process.stdout.write(`@@ ${name}: ${problem}\n`));

it('1 payout under the name of a transfer, beyond the policy', async () => {
  const { log, merchant_id } = funded('500000');
  log.setPolicy();
  const command = log.holding('USD', '300000');
  log.forge(command, { policy: () => undefined }, {
    change: eachEvent((event) => 'opens' in event && event.opens ? { ...event, opens: { ...event.opens, transaction_type: 'INTERNAL TRANSFER' } } as LedgerEvent : event),
  });
  log.forge({ kind: 'ResolvePayout', merchant_id, transaction: command.id, resolution: 'COMPLETED', rail_reference: 'r', onward: null } as never, ofType(log, 'PAYOUT'));
  await say('1', log);
});
it('2 wait of a new destination of a second', async () => {
  const { log } = funded();
  log.setPolicy(1, 86_400);
  const command = log.holding('USD', '50');
  log.forge(command, {}, { change: eachEvent((event) => event.type === 'PolicyApplied' ? { ...event, send_after: new Date(Date.parse(event.send_after ?? '') - 86_399_000).toISOString() } : event) });
  log.id(); log.id(); log.id();
  log.submit({ kind: 'EndPayoutWait', merchant_id: log.merchant_id, transaction: command.id });
  log.resolvePayout(command.id, 'COMPLETED');
  await say('2', log);
});
it('3 an approval after its time', async () => {
  const { log, merchant_id } = funded();
  log.setPolicy();
  const payout = log.holdPayout('USD', '500');
  for (let s = 0; s < 90; s += 1) log.id();
  const approval_hash = log.state.transaction(payout)?.under_policy?.approval?.hash ?? '';
  log.forge({ kind: 'ApprovePayout', merchant_id, transaction: payout, approval_hash, signer: log.signer('approver') }, {}, { early: 85 });
  await say('3', log);
});
it('3b a time for approvals of a century', async () => {
  const { log } = funded();
  log.setPolicy();
  log.forge(log.holding('USD', '500'), {}, { change: eachEvent((event) => event.type === 'PolicyApplied' && event.approval ? { ...event, approval: { ...event.approval, expires_at: '2126-01-01T00:00:00.000Z' } } : event) });
  await say('3b', log);
});
it('4 closes a customer who has money', async () => {
  const { log, merchant_id, customer_id } = customers();
  log.forge({ kind: 'CloseCustomer', merchant_id, customer_id }, { walletsOf: () => [] });
  await say('4', log);
});
it('5 brings the money of an open customer to the merchant behind a return', async () => {
  const { log, merchant_id, customer_id } = customers('100');
  const payout = log.holdPayout('USD', '10', null, customer_id);
  log.resolvePayout(payout, 'COMPLETED');
  const onward = { debit_id: log.id(), credit_id: log.id(), wallet_id: log.id(), address_index: 7 };
  log.forge({ kind: 'ResolvePayout', merchant_id, transaction: payout, resolution: 'REVERSED', rail_reference: 'r', onward } as never, isClosed);
  await say('5', log);
});
it('6 closed customers: a wallet, a deposit, a payout', async () => {
  const { log, merchant_id, customer_id, wallet } = customers('0');
  log.closeCustomer(customer_id);
  log.forge({ kind: 'RecordDeposit', merchant_id, id: log.id(), reference_id: log.id(), wallet_id: wallet, amount: '50', network: null, reference: null, confirmed: true } as never, notClosed);
  log.forge(log.holding('USD', '5', null, customer_id), notClosed);
  await say('6', log);
});
it('7 rejects a payout that has its approvals, as not approved in time', async () => {
  const { log, merchant_id } = funded();
  log.setPolicy(1, 86_400);
  const payout = log.holdPayout('USD', '500');
  log.approvePayout(payout);
  for (let s = 0; s < 90; s += 1) log.id();
  log.forge({ kind: 'EndPayoutWait', merchant_id, transaction: payout }, { transaction: (id: string) => {
    const found = log.state.transaction(id);
    return found && { ...found, waiting_for: 'approval' };
  } });
  await say('7', log);
});
it('7b rejects by its own creator', async () => {
  const { log, merchant_id } = funded();
  log.setPolicy(1);
  const payout = log.holdPayout('USD', '500');
  log.forge({ kind: 'RejectPayout', merchant_id, transaction: payout, signer: log.signer('creator') }, { transaction: (id: string) => {
    const found = log.state.transaction(id);
    return found && { ...found, under_policy: { ...found.under_policy, created_by: log.signer('x') } } as Transaction;
  } });
  await say('7b', log);
});
const asLive = (events: RecordedEvent[]) => events.map((recorded) => {
  const { asked_by } = recorded;
  if (!asked_by) return recorded;
  if (recorded.movement !== 'deposit-recorded') return { ...recorded, asked_by: { ...asked_by, mode: 'live' as const } };
  const stated = { ...(JSON.parse(asked_by.evidence ?? '') as DepositEvidence), rail: 'chain' as const };
  const { text: evidence, signature } = signEvidence(secretOf('chain'), stated);
  return { ...recorded, asked_by: { service: 'chain', evidence, signature } };
});
it('8 a payout of a live merchant that has no policy', async () => {
  const { log } = funded();
  log.resolvePayout(log.holdPayout('USD', '500'), 'COMPLETED');
  await say('8', log, asLive);
});
it('9 a payout that was not judged, under way', async () => {
  const { log } = funded('500000');
  log.setPolicy();
  log.forge(log.holding('USD', '300000'), { policy: () => undefined });
  await say('9', log);
});
it('10 a sandbox deposit of no mode for a live merchant, and one that payout calls a chain', async () => {
  for (const rail of ['sandbox', 'chain'] as const) {
    const { log } = funded();
    log.holdPayout('USD', '5');
    await say(`10 ${rail}`, log, (events) => events.map((recorded) => {
      const { asked_by } = recorded;
      if (!asked_by) return recorded;
      if (recorded.movement !== 'deposit-recorded') return { ...recorded, asked_by: { ...asked_by, mode: 'live' as const } };
      const stated = { ...(JSON.parse(asked_by.evidence ?? '') as DepositEvidence), rail };
      const { text: evidence, signature } = signEvidence(secretOf('payout'), stated);
      return { ...recorded, asked_by: { service: 'payout', evidence, signature } };
    }));
    await database?.drop();
    database = undefined;
  }
});
it('11 another service ends a deposit', async () => {
  const log = new DrivenLog(0);
  const usdc = log.openWallet('USDC', 'erc20');
  const seen = log.chainDeposit(usdc, '50', 'erc20');
  log.deposited(seen, 'ConfirmDeposit');
  await say('11', log, (events) => events.map((recorded) => {
    const { asked_by } = recorded;
    if (!asked_by || recorded.movement !== 'deposit-recorded') return recorded;
    const stated = { ...(JSON.parse(asked_by.evidence ?? '') as DepositEvidence), rail: 'chain' as const };
    const { text: evidence, signature } = signEvidence(secretOf('chain'), stated);
    return { ...recorded, asked_by: { service: 'chain', evidence, signature } };
  }));
});
it('12 one transfer of a chain is credited twice', async () => {
  const log = new DrivenLog(0);
  const usdc = log.openWallet('USDC', 'erc20');
  for (const _ of [1, 2]) log.deposited(log.chainDeposit(usdc, '50', 'erc20', `0x${'ab'.repeat(32)}`), 'ConfirmDeposit');
  await say('12', log);
});
it('13 an older policy that was stated and never taken', async () => {
  const { log } = funded();
  log.setPolicy(2);
  log.setPolicy(1);
  await say('13', log);
});
