/**
 * What a ledger that was taken over could do to its merchants' money, with its key and with what services have truly stated: each
 * signature is right, and so is each sum, but a rule was passed over.
 */
import { DepositEvidence } from '@stablecoin/command-proofs/evidence';
import { UnderPolicy } from '@stablecoin/ledger-domain/entities';
import { EventGroup, LedgerEvent, Movement, OpenedTransaction } from '@stablecoin/ledger-domain/events';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { asked, Asking, KEYS, ON_CHAIN, Stating, withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import {
  DrivenLog,
  fundedByChain,
  judgedLog,
  returnedLog,
  swappedForItselfLog,
} from '@stablecoin/ledger-log/testing/driven-log';
import { verify, VerifyOptions } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase | undefined;
afterEach(() => database?.drop());

/** What verify finds in the log, with what the services state; undefined if it is intact. */
async function faultOf(log: DrivenLog, asking: Asking = (recorded) => recorded): Promise<string | undefined> {
  log.events.splice(0, log.events.length, ...withAskers(log.events).map(asking));
  database = await auditedDatabase([log]);
  const { audit } = database;
  const judged = (options: VerifyOptions) => audit((ledger) => verify(ledger, { evidenceKeys: KEYS, ...options }));
  const found = await judged({});
  const problem = found.shards[0]?.fault?.problem;
  expect(found.ok).toBe(problem === undefined && found.closed_for_others.length === 0);
  // With nothing in memory but what a page of few events names.
  const forgetful = await judged({ pageSize: 3, limits: { maxWallets: 0, maxTransactions: 0 } });
  expect(forgetful.shards[0]?.fault?.problem).toBe(problem);
  return problem;
}

const DAY_SECONDS = 86_400;
const wait = (log: DrivenLog, seconds: number) => {
  for (let second = 0; second < seconds; second += 1) log.id();
};

function funded(amount = '5000'): DrivenLog {
  const log = new DrivenLog(0);
  log.deposit(log.openWallet('USD'), amount);
  return log;
}

function withCustomer(amount: string | null = '100') {
  const log = funded();
  const owner = { merchant_id: log.merchant_id, customer_id: log.id() };
  const wallet_id = log.openWallet('USD', null, owner.customer_id);
  if (amount !== null) log.deposit(wallet_id, amount);
  return { log, ...owner, wallet_id };
}

const changing = (change: (event: LedgerEvent) => LedgerEvent) => ({
  change: (groups: EventGroup[]) => groups.map((group) => ({ ...group, events: group.events.map(change) })),
});

/** The ledger, with the judgement of its payouts as it is told. */
const judgedAs = (log: DrivenLog, seen: { waiting_for?: 'approval'; under_policy?: Partial<UnderPolicy> }) =>
  ({
    transaction: (id) => {
      const found = log.state.transaction(id);
      if (!found?.under_policy) return found;
      return { ...found, ...seen, under_policy: { ...found.under_policy, ...seen.under_policy } };
    },
  }) satisfies Partial<LedgerView>;

const BEYOND = '300000';
const underAnotherName = (event: LedgerEvent): LedgerEvent =>
  event.type === 'DebitPosted' && event.opens
    ? { ...event, opens: { ...event.opens, transaction_type: 'INTERNAL TRANSFER' } }
    : event;

const opening = (opened: Partial<OpenedTransaction>) =>
  changing((event) => ('opens' in event && event.opens ? { ...event, opens: { ...event.opens, ...opened } } : event));

const UNPASSED = 'brings money back to a closed customer, and does not pass it on to the merchant';
function unpassedLog(): DrivenLog {
  const { log, merchant_id, customer_id } = withCustomer('11.36');
  const transaction = log.holdPayout('USD', '11', null, customer_id);
  log.resolvePayout(transaction, 'COMPLETED');
  log.closeCustomer(customer_id);
  const about = { merchant_id, transaction, rail_reference: 'rail-1', onward: null } as const;
  log.forge({ kind: 'ResolvePayout', ...about, resolution: 'REVERSED' }, { isClosed: () => false });
  return log;
}

const depositOf = (log: DrivenLog, wallet_id: string) => ({
  ...({ kind: 'RecordDeposit', merchant_id: log.merchant_id, wallet_id, amount: '50', confirmed: true } as const),
  ...{ id: log.id(), reference_id: log.id(), network: null, reference: null },
});

it.each<[string, () => DrivenLog, string]>([
  [
    'a payout beyond the limits, which was not judged and is under way',
    () => {
      const log = funded('500000');
      log.setPolicy();
      log.forge(log.holding('USD', BEYOND), { policy: () => undefined });
      return log;
    },
    "is a payout that its merchant's policy never judged",
  ],
  [
    'the same, with events behind it',
    () => {
      const log = funded('500000');
      log.setPolicy();
      log.forge(log.holding('USD', BEYOND), { policy: () => undefined });
      log.openWallet('EUR');
      return log;
    },
    "is a payout that its merchant's policy never judged",
  ],
  [
    'a payout under the name of a transfer, of which limits know nothing',
    () => {
      const log = funded('500000');
      log.forge(log.holding('USD', BEYOND), {}, changing(underAnotherName));
      return log;
    },
    'a payout-accepted opens no INTERNAL TRANSFER',
  ],
  [
    'a destination that is new for a second, and not for a day',
    () => {
      const log = funded();
      log.setPolicy(1, DAY_SECONDS);
      const command = log.holding('USD', '50');
      const sooner = (time = '') => new Date(Date.parse(time) - (DAY_SECONDS - 1) * 1_000).toISOString();
      const earlier = (event: LedgerEvent) =>
        event.type === 'PolicyApplied' ? { ...event, send_after: sooner(event.send_after) } : event;
      log.forge(command, {}, changing(earlier));
      wait(log, 3);
      log.submit({ kind: 'EndPayoutWait', merchant_id: log.merchant_id, transaction: command.id });
      return log;
    },
    'lets a payout go to a destination that is too new: from 2026-11-21T12:00:13.000Z on',
  ],
  [
    'an approval when its time was over',
    () => {
      const log = funded();
      log.setPolicy();
      const transaction = log.holdPayout('USD', '500');
      wait(log, 90);
      const approval_hash = log.state.transaction(transaction)?.under_policy?.approval?.hash ?? '';
      const about = { merchant_id: log.merchant_id, transaction, approval_hash };
      log.forge({ kind: 'ApprovePayout', ...about, signer: log.signer('approver') }, {}, { early: 85 });
      return log;
    },
    'approves a payout whose time for approvals was over at 2026-11-21T12:01:12.000Z',
  ],
  [
    'a century for approvals',
    () => {
      const log = funded();
      log.setPolicy();
      const expires_at = '2126-01-01T00:00:00.000Z';
      const longer = (event: LedgerEvent) =>
        event.type === 'PolicyApplied' && event.approval
          ? { ...event, approval: { ...event.approval, expires_at } }
          : event;
      log.forge(log.holding('USD', '500'), {}, changing(longer));
      return log;
    },
    'gives its approvals another time than its policy',
  ],
  [
    'a payout that was approved, rejected as if it had not been in time',
    () => {
      const log = funded();
      log.setPolicy(1, DAY_SECONDS);
      const transaction = log.holdPayout('USD', '500');
      log.approvePayout(transaction);
      wait(log, 90);
      const command = { kind: 'EndPayoutWait', merchant_id: log.merchant_id, transaction } as const;
      log.forge(command, judgedAs(log, { waiting_for: 'approval' }));
      return log;
    },
    'ends a wait for approvals before its time',
  ],
  [
    'a payout that its creator rejects',
    () => {
      const log = funded();
      log.setPolicy();
      const transaction = log.holdPayout('USD', '500');
      const command = { kind: 'RejectPayout', merchant_id: log.merchant_id, transaction } as const;
      const another = { under_policy: { created_by: log.signer('another') } };
      log.forge({ ...command, signer: log.signer('creator') }, judgedAs(log, another));
      return log;
    },
    'rejects a payout of its own signer',
  ],
  [
    'a customer closed who has money',
    () => {
      const { log, merchant_id, customer_id } = withCustomer();
      log.forge({ kind: 'CloseCustomer', merchant_id, customer_id }, { walletsOf: () => [] });
      return log;
    },
    'closes a customer who has money, or of whom something is under way',
  ],
  [
    'a customer closed whose only money is held by a payout',
    () => {
      const { log, merchant_id, customer_id } = withCustomer('11.36');
      log.holdPayout('USD', '11', null, customer_id);
      log.forge({ kind: 'CloseCustomer', merchant_id, customer_id }, { walletsOf: () => [] });
      return log;
    },
    'closes a customer who has money, or of whom something is under way',
  ],
  [
    'money of an open customer, passed on to the merchant behind a return',
    () => {
      const { log, merchant_id, customer_id } = withCustomer();
      const transaction = log.holdPayout('USD', '10', null, customer_id);
      log.resolvePayout(transaction, 'COMPLETED');
      const onward = { debit_id: log.id(), credit_id: log.id(), wallet_id: log.id(), address_index: 7 };
      const about = { merchant_id, transaction, rail_reference: 'rail-1', onward } as const;
      log.forge({ kind: 'ResolvePayout', ...about, resolution: 'REVERSED' }, { isClosed: () => true });
      return log;
    },
    'passes on the money of a customer who is not closed',
  ],
  [
    'a deposit of a customer who is closed',
    () => {
      const { log, customer_id, wallet_id } = withCustomer(null);
      log.closeCustomer(customer_id);
      log.forge(depositOf(log, wallet_id), { isClosed: () => false });
      return log;
    },
    'a deposit-recorded of a customer who is closed',
  ],
  ['money that comes back to a closed customer, and stays there', () => unpassedLog(), UNPASSED],
  [
    'the same, with events behind it',
    () => {
      const log = unpassedLog();
      log.openWallet('EUR');
      return log;
    },
    UNPASSED,
  ],
  [
    'a payout that is kept back for longer than its policy asks',
    () => {
      const log = funded();
      log.setPolicy(1, 60);
      const send_after = '2099-01-01T00:00:00.000Z';
      const later = (event: LedgerEvent) => (event.type === 'PolicyApplied' ? { ...event, send_after } : event);
      log.forge(log.holding('USD', '50'), {}, changing(later));
      return log;
    },
    'keeps a payout back until 2099-01-01T00:00:00.000Z, which its policy does not',
  ],
  [
    'a payout under a code of its own choice',
    () => {
      const log = funded();
      log.forge(log.holding('USD', '50'), {}, opening({ transaction_id: 'AAAAAAAAAA' }));
      return log;
    },
    'has another code than that of its place: AAAAAAAAAA',
  ],
  ...(['sender_wallet_id', 'receiver_wallet_id'] as const).map((name): [string, () => DrivenLog, string] => [
    `a payout that has another wallet as its ${name}`,
    () => {
      const log = funded();
      const wallet_id = log.openWallet('USD', null, log.id());
      log.forge(log.holding('USD', '50'), {}, opening({ [name]: wallet_id }));
      return log;
    },
    'names other wallets than its own',
  ]),
])('%s: found', async (_name, forged, problem) => {
  expect(await faultOf(forged())).toBe(problem);
});

it.each<[string, () => DrivenLog]>([
  ['payouts under a policy', () => judgedLog(0)],
  ['returns to closed customers', () => returnedLog(0)],
])('%s, as the ledger writes them, are intact', async (_name, log) => {
  expect(await faultOf(log())).toBeUndefined();
});

it('returns that the first versions left with a closed customer, when no command named its asker, are intact', async () => {
  const without: Asking = ({ asked_by: _, ...recorded }) => recorded;
  expect(await faultOf(unpassedLog(), without)).toBeUndefined();
});

it('a swap of one currency is named as what its service stated, and so is what to do', async () => {
  const log = swappedForItselfLog(0);
  expect(await faultOf(log)).toMatch('swaps USD for USD, as swap-pricing stated');
  const found = await database?.audit((ledger) => verify(ledger, { evidenceKeys: KEYS }));
  expect(found && verificationReport(found, 1).text).toContain('change the keys of swap-pricing');
});

describe('a customer closed as one of another merchant', () => {
  const closedElsewhere = () => {
    const { log, customer_id } = withCustomer();
    const merchant_id = log.id();
    log.submit({ kind: 'CloseCustomer', merchant_id, customer_id });
    return { log, merchant_id, customer_id };
  };

  it('is found', async () => {
    const { log, merchant_id, customer_id } = closedElsewhere();
    const { position } = log.events.at(-1) ?? {};
    expect(await faultOf(log)).toBeUndefined();
    const owner = `its wallets are those of merchant ${log.merchant_id}`;
    const problem = `closes customer ${customer_id} as one of merchant ${merchant_id}: ${owner}`;
    const found = await database?.audit((ledger) => verify(ledger, { evidenceKeys: KEYS }));
    expect(found).toMatchObject({ ok: false, closed_for_others: [{ shard: 0, position, problem }] });
    expect(found && verificationReport(found, 1).text).toContain("change the customer service's keys");
  });

  it('is open for its own merchant: what the ledger books of it is sound', async () => {
    const { log, customer_id } = closedElsewhere();
    log.holdPayout('USD', '10', null, customer_id);
    expect(await faultOf(log)).toBeUndefined();
  });

  it('and then by its own, which the ledger refuses, is found where that is', async () => {
    const { log, merchant_id, customer_id } = closedElsewhere();
    log.forge(
      { kind: 'CloseCustomer', merchant_id: log.merchant_id, customer_id },
      { closedBy: () => undefined, walletsOf: () => [] },
    );
    expect(merchant_id).not.toBe(log.merchant_id);
    expect(await faultOf(log)).toBe('the customer is closed already, as another merchant’s');
  });
});

it.each<[string, Stating, string | undefined]>([
  ['of the sandbox', { service: 'payout', rail: 'sandbox', ofDeposits: 'live' }, 'the sandbox credits a live merchant'],
  [
    'of the sandbox, of no mode',
    { service: 'payout', rail: 'sandbox' },
    'the sandbox credits a merchant of whom no mode is named',
  ],
  [
    'of a chain, by payout',
    { service: 'payout', rail: 'chain' },
    'payout states a deposit of the chain, which it does not see',
  ],
])("a live merchant's deposit %s", async (_name, stating, problem) => {
  expect(await faultOf(funded(), asked('live', stating))).toBe(problem);
});

it("a live merchant's deposit of a chain is intact", async () => {
  expect(await faultOf(fundedByChain(), asked('live', ON_CHAIN))).toBeUndefined();
});

const NO_TRANSFER = 'chain states a deposit of the chain, and no transfer that it came by';
it.each<[string, () => DrivenLog, Partial<DepositEvidence>]>([
  ['of a currency that no chain has, booked as if a bank had brought it', funded, {}],
  ['without its network', fundedByChain, { network: null }],
  ['without its transaction', fundedByChain, { crypto_transaction_id: null }],
  ['without its place among transfers', fundedByChain, { ordinal: null }],
  ['without its block', fundedByChain, { block_hash: null }],
  ['without the height of its block', fundedByChain, { block_number: null }],
])('a deposit of a chain %s: found', async (_name, log, unsaid) => {
  expect(await faultOf(log(), asked('live', { ...ON_CHAIN, unsaid }))).toBe(NO_TRANSFER);
});

const NO_POLICY = 'is a payout of a live merchant of whom there is no policy';
const withoutPolicy = () => {
  const log = fundedByChain();
  log.holdPayout('USDC', '500', 'erc20');
  return log;
};

it("a live merchant's payout without a policy, in a ledger that never had one: found", async () => {
  expect(await faultOf(withoutPolicy(), asked('live', ON_CHAIN))).toBe(NO_POLICY);
});

it("a test merchant's is not", async () => {
  expect(await faultOf(withoutPolicy(), asked('test', ON_CHAIN))).toBeUndefined();
});

it('one of which no mode is named is its merchant’s, and of a merchant who has none it is not judged', async () => {
  const named = asked('live', ON_CHAIN);
  const without =
    (...movements: Movement[]): Asking =>
    (recorded) => {
      const { asked_by, ...nameless } = named(recorded);
      if (!asked_by) return recorded;
      const { mode: _, ...modeless } = asked_by;
      return { ...nameless, asked_by: movements.includes(recorded.movement) ? modeless : asked_by };
    };
  expect(await faultOf(withoutPolicy(), without('payout-accepted'))).toBe(NO_POLICY);
  await database?.drop();
  expect(await faultOf(withoutPolicy(), without('payout-accepted', 'wallet-opened'))).toBeUndefined();
});

it.each([
  [DAY_SECONDS - 100, undefined],
  [DAY_SECONDS + 100, NO_POLICY],
])('in a ledger that was upgraded, %d s after the first command with an asker', async (seconds, problem) => {
  const log = fundedByChain();
  log.openWallet('EUR');
  wait(log, seconds);
  log.holdPayout('USDC', '500', 'erc20');
  const [first] = log.events;
  const upgraded: Asking = (recorded) => {
    const { asked_by, ...nameless } = asked('live', ON_CHAIN)(recorded);
    return asked_by && recorded.command_id !== first?.command_id ? { ...nameless, asked_by } : nameless;
  };
  expect(await faultOf(log, upgraded)).toBe(problem);
});
