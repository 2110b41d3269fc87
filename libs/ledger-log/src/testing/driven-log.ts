/**
 * Makes a log like the service's for tests: real commands through the real decider, one shard per merchant, chained and
 * projected by the same code. Ids and times are derived from a counter, so that every run gives the same log.
 */
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { HoldPayout, LedgerCommand, OnwardIds } from '@stablecoin/ledger-domain/commands';
import { decide } from '@stablecoin/ledger-domain/decide';
import { EventGroup, RecordedEvent, Signer } from '@stablecoin/ledger-domain/events';
import { LedgerState, LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { Legs } from '@stablecoin/ledger-domain/legs';
import { transactionCode } from '@stablecoin/ledger-domain/transaction-code';
import { appendEventRows, EventRow, eventRows } from '@stablecoin/ledger-store/event-rows';
import { projectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { Currency, Network } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { convert } from '@stablecoin/money/price';
import { Sql } from '@stablecoin/persistence/sql';
import { expectedResult } from '../log/expected-result';
import { signLog } from './signed-log';

const FIRST_MS = Date.UTC(2026, 10, 21, 12);

export class DrivenLog {
  readonly state = new LedgerState();
  readonly events: RecordedEvent[] = [];
  readonly merchant_id: string;
  private readonly signers = new Map<string, Signer>();
  private ids = 0;

  constructor(
    readonly shard: number,
    private readonly deriveAddress = (network: Network, index: number) => `${network}-address-${shard}-${index}`,
  ) {
    this.merchant_id = this.id();
  }

  get rows(): EventRow[] {
    return eventRows(this.events, GENESIS_HASH);
  }

  /** @returns the positions of the events that the command led to; each command is recorded a second after the last */
  submit(command: LedgerCommand): number[] {
    const before = this.events.length;
    const recorded_at = new Date(FIRST_MS + this.ids * 1_000).toISOString();
    const groups = decide(command, this.state, {
      shard: this.shard,
      nextPosition: before + 1,
      now: recorded_at,
      deriveAddress: this.deriveAddress,
    });
    const command_id = this.id();
    groups.forEach((group) => this.record(group, recorded_at, command_id));
    return this.events.slice(before).map(({ position }) => position);
  }

  /**
   * What the ledger would not do: decided as if some things were otherwise than they are.
   *
   * @param seen what is told of the ledger in place of what is so
   * @param change of what was decided, before it is written
   * @param early by how many seconds the clock is behind
   */
  forge(
    command: LedgerCommand,
    seen: Partial<LedgerView>,
    { change = (groups: EventGroup[]) => groups, early = 0 } = {},
  ): void {
    const at = (seconds: number) => new Date(FIRST_MS + seconds * 1_000).toISOString();
    const recorded_at = at(this.ids);
    const context = { shard: this.shard, nextPosition: this.events.length + 1, deriveAddress: this.deriveAddress };
    const view = Object.assign(Object.create(this.state) as LedgerView, seen);
    this.book(change(decide(command, view, { ...context, now: at(this.ids - early) })), recorded_at);
  }

  /** What the ledger would not do, whatever it saw. */
  book(groups: readonly EventGroup[], recorded_at = this.events.at(-1)?.recorded_at ?? ''): void {
    const command_id = this.id();
    groups.forEach((group) => this.record(group, recorded_at, command_id));
  }

  openWallet(currency: Currency, network: Network | null = null, customer_id: string | null = null): string {
    const wallet_id = this.id();
    this.submit({
      kind: 'OpenWallet',
      merchant_id: this.merchant_id,
      customer_id,
      wallet_id,
      address_id: this.id(),
      address_index: this.ids,
      currency,
      network,
      description: `sealed:h1.${currency}.description`,
    });
    return this.state.walletOf({ merchant_id: this.merchant_id, customer_id }, currency)?.id ?? wallet_id;
  }

  deposit(wallet_id: string, amount: string, confirmed = true): string {
    const id = this.id();
    const about = { reference_id: this.id(), wallet_id, amount, network: null, reference: 'sealed:v1.a.reference' };
    this.submit({ kind: 'RecordDeposit', merchant_id: this.merchant_id, id, ...about, confirmed });
    return id;
  }

  /** Seen on a chain, and not final yet unless it is said to be. */
  chainDeposit(wallet_id: string, amount: string, network: Network, hash?: string, confirmed = false): string {
    const id = this.id();
    const about = { reference_id: this.id(), wallet_id, amount, network, reference: null };
    const crypto_transaction_id = hash ?? `0x${id.replaceAll('-', '')}`;
    const { merchant_id } = this;
    this.submit({ kind: 'RecordDeposit', merchant_id, id, ...about, crypto_transaction_id, confirmed });
    return id;
  }

  /** What the rail says of a deposit that was recorded. */
  deposited(transaction: string, kind: 'ConfirmDeposit' | 'FailDeposit' | 'ReverseDeposit'): void {
    this.submit({ kind, merchant_id: this.merchant_id, transaction });
  }

  holdPayout(
    currency: Currency,
    amount: string,
    network: Network | null = null,
    customer_id: string | null = null,
  ): string {
    const command = this.holding(currency, amount, network, customer_id);
    this.submit(command);
    return command.id;
  }

  holding(
    currency: Currency,
    amount: string,
    network: Network | null = null,
    customer_id: string | null = null,
  ): HoldPayout {
    return {
      kind: 'HoldPayout',
      merchant_id: this.merchant_id,
      customer_id,
      id: this.id(),
      reference_id: this.id(),
      currency,
      amount,
      network,
      sealed_destination: 'h1.sealed.destination',
      bank_name: null,
      bank_code: null,
      recipient_currency: network === null ? 'NGN' : null,
      recipient_country: null,
      exchange_rate: '1.5',
      fee_schedule: { flat: '0.25', basis_points: 100 },
      destination_hash: 'd'.repeat(64),
      created_by: this.signer('creator'),
    };
  }

  resolvePayout(
    transaction: string,
    resolution: 'COMPLETED' | 'FAILED' | 'REVERSED',
    onward: OnwardIds | null = null,
    rail_reference = 'rail-1',
  ): void {
    this.submit({
      kind: 'ResolvePayout',
      merchant_id: this.merchant_id,
      transaction,
      resolution,
      rail_reference,
      onward,
    });
  }

  /** From here on the merchant's payouts are judged: of more than 100 USD they need an approval. */
  /** @param above of which currency payouts of more than 100 take approvals */
  setPolicy(approvers = 1, new_destination_wait_seconds = 0, above: Currency = 'USD'): void {
    const limit = { per: 'merchant', within: 'day', amount: '100000.00000000', count: 1_000 } as const;
    this.submit({
      ...{ kind: 'ChangePolicy', merchant_id: this.merchant_id, changed_by: 'an operator', reason: 'case 1' },
      policy: {
        limits: (['USD', 'USDC', 'EUR'] as const).map((currency) => ({ currency, ...limit })),
        new_destination_wait_seconds,
        approval: {
          ...{ above: [{ currency: above, amount: '100.00000000' }], new_destination: false, new_rail: false },
          ...{ approvers, expires_after_seconds: 60 },
        },
      },
    });
  }

  approvePayout(transaction: string, name = 'approver'): void {
    const approval_hash = this.state.transaction(transaction)?.under_policy?.approval?.hash ?? '';
    const { merchant_id } = this;
    this.submit({ kind: 'ApprovePayout', merchant_id, transaction, approval_hash, signer: this.signer(name) });
  }

  rejectPayout(transaction: string): void {
    const { merchant_id } = this;
    this.submit({ kind: 'RejectPayout', merchant_id, transaction, signer: this.signer('approver') });
  }

  /** Some person's key: the same for each name. */
  signer(name: string): Signer {
    const known = this.signers.get(name) ?? { key_id: this.id(), signer_id: this.id() };
    this.signers.set(name, known);
    return known;
  }

  /** @param quote the id of the swap that was quoted; else a new one */
  swap(
    from_currency: Currency,
    to_currency: Currency,
    from_amount: string,
    quoted_price: string,
    quote?: string,
  ): void {
    const ids = { debit_id: this.id(), credit_id: this.id(), swap_id: quote ?? this.id() };
    const owner = { merchant_id: this.merchant_id, customer_id: null };
    this.submit({
      kind: 'PostSwap',
      ...owner,
      ...ids,
      from_currency,
      to_currency,
      from_amount,
      to_amount: convert(Money.parse(from_currency, from_amount), quoted_price, to_currency, 'currency').toString(),
      quoted_price,
      valid_until: '9999-12-31T23:59:59.999Z',
    });
  }

  closeCustomer(customer_id: string): void {
    this.submit({ kind: 'CloseCustomer', merchant_id: this.merchant_id, customer_id });
  }

  /** A UUID that no other log of a test has. */
  id(): string {
    this.ids += 1;
    return `0199f000-0000-7000-8${String(this.shard).padStart(3, '0')}-${String(this.ids).padStart(12, '0')}`;
  }

  private record(
    { movement, merchant_id, customer_id, events }: EventGroup,
    recorded_at: string,
    command_id: string,
  ): void {
    const group = this.events.length + 1;
    events.forEach((event, offset) => {
      const place = { shard: this.shard, position: group + offset, group };
      const recorded = { ...place, movement, recorded_at, command_id, merchant_id, customer_id, event };
      this.events.push(recorded);
      this.state.apply(recorded);
    });
  }
}

/** One of everything that a ledger does to its own owners' wallets: every status, and every movement but transfers. */
export function eventfulLog(shard: number): DrivenLog {
  const log = new DrivenLog(shard);
  const usd = log.openWallet('USD');
  const usdc = log.openWallet('USDC', 'erc20');
  log.openWallet('USDC', 'solana');
  const customer_id = log.id();
  log.openWallet('EUR', null, customer_id);
  log.deposit(usd, '1000');
  const waiting = log.deposit(usdc, '50.123456', false);
  log.swap('USD', 'USDC', '100', '0.925');
  log.deposited(waiting, 'ConfirmDeposit');
  log.resolvePayout(log.holdPayout('USD', '10'), 'COMPLETED');
  log.resolvePayout(log.holdPayout('USDC', '20', 'erc20'), 'FAILED');
  const returned = log.holdPayout('USD', '30.50');
  log.resolvePayout(returned, 'COMPLETED');
  log.resolvePayout(returned, 'REVERSED');
  log.holdPayout('USD', '40');
  log.deposit(usd, '7', false);
  log.deposited(log.chainDeposit(usdc, '8.5', 'erc20'), 'FailDeposit');
  const gone = log.chainDeposit(usdc, '9.5', 'solana');
  log.deposited(gone, 'ConfirmDeposit');
  log.deposited(gone, 'ReverseDeposit');
  log.closeCustomer(customer_id);
  return log;
}

/** Payouts of a merchant with a policy: let through at once, approved by one and by two, rejected, and one that waits. */
export function judgedLog(shard: number): DrivenLog {
  const log = new DrivenLog(shard);
  log.deposit(log.openWallet('USD'), '5000');
  return payingUnderPolicies(log, 'USD', null);
}

/** The same of money that came over a chain, as a live merchant's does. */
export const judgedChainLog = (shard: number): DrivenLog => payingUnderPolicies(fundedByChain(shard), 'USDC', 'erc20');

export function fundedByChain(shard = 0): DrivenLog {
  const log = new DrivenLog(shard);
  log.chainDeposit(log.openWallet('USDC', 'erc20'), '5000', 'erc20', undefined, true);
  return log;
}

function payingUnderPolicies(log: DrivenLog, currency: Currency, network: Network | null): DrivenLog {
  const hold = (amount: string) => log.holdPayout(currency, amount, network);
  log.setPolicy(1, 0, currency);
  log.resolvePayout(hold('50'), 'COMPLETED');
  log.resolvePayout(hold('60'), 'FAILED');
  const approved = hold('500');
  log.approvePayout(approved);
  log.resolvePayout(approved, 'COMPLETED');
  log.rejectPayout(hold('600'));
  log.setPolicy(2, 0, currency);
  const byTwo = hold('700');
  log.approvePayout(byTwo);
  log.approvePayout(byTwo, 'second approver');
  hold('800');
  return log;
}

/** Payouts that come back to closed customers, of a merchant that has a wallet in the first one's currency alone. */
export function returnedLog(shard: number): DrivenLog {
  const log = new DrivenLog(shard);
  log.openWallet('USD');
  for (const currency of ['USD', 'EUR'] as const) {
    const customer_id = log.id();
    log.deposit(log.openWallet(currency, null, customer_id), '11.36');
    const payout = log.holdPayout(currency, '11', null, customer_id);
    log.resolvePayout(payout, 'COMPLETED');
    log.closeCustomer(customer_id);
    const onward = { debit_id: log.id(), credit_id: log.id(), wallet_id: log.id(), address_index: 7 };
    log.resolvePayout(payout, 'REVERSED', onward);
  }
  return log;
}

/** Two deposits that were spent and then reversed, of a wallet that a third covers in part, and a fourth wholly. */
export function overdrawnLog(shard: number): DrivenLog {
  const log = new DrivenLog(shard);
  const usdt = log.openWallet('USDT', 'polygon');
  const gone = ['40', '60'].map((amount) => log.chainDeposit(usdt, amount, 'polygon'));
  gone.forEach((deposit) => log.deposited(deposit, 'ConfirmDeposit'));
  log.resolvePayout(log.holdPayout('USDT', '90', 'polygon'), 'COMPLETED');
  gone.forEach((deposit) => log.deposited(deposit, 'ReverseDeposit'));
  log.deposit(usdt, '50');
  log.deposit(usdt, '70');
  log.resolvePayout(log.holdPayout('USDT', '20', 'polygon'), 'FAILED');
  return log;
}

/** 100 dollars for 118 dollars, as versions before took it; with its balances as they should have been. */
export function swappedForItselfLog(shard: number): DrivenLog {
  const log = new DrivenLog(shard);
  const wallet = { id: log.openWallet('USD'), currency: 'USD' } as const;
  log.deposit(wallet.id, '1000');
  const [given, taken] = [Money.parse('USD', '100'), Money.parse('USD', '118')];
  const shared = {
    ...{ reference_id: log.id(), wallet_id: wallet.id, sender_wallet_id: wallet.id, receiver_wallet_id: wallet.id },
    ...({ transaction_type: 'INTERNAL TRANSFER', currency: 'USD', exchange_rate: '1.18' } as const),
  };
  const code = (offset: number) => transactionCode(shard, log.events.length + offset);
  const debit = { id: log.id(), transaction_id: code(1), transaction_mode: 'DEBIT', amount: given.toString() } as const;
  const credit = {
    id: log.id(),
    transaction_id: code(2),
    transaction_mode: 'CREDIT',
    amount: taken.toString(),
  } as const;
  const out = new Legs(log.state, debit.id);
  const into = out.of(credit.id);
  out.transfer(given, wallet.id, 'liquidity:USD', { ...shared, ...debit });
  const opened = into.statusChanged(wallet, null, 'PENDING', { opens: { ...shared, ...credit } });
  const accepted = [...out.take(), opened];
  into.transfer(taken, 'liquidity:USD', wallet.id);
  const ends = [out, into].map((legs) => legs.statusChanged(wallet, 'PENDING', 'COMPLETED'));
  const about = { merchant_id: log.merchant_id, customer_id: null };
  log.book([
    { movement: 'swap-accepted', ...about, events: accepted },
    { movement: 'swap-settled', ...about, events: [...into.take(), ...ends] },
  ]);
  return log;
}

/**
 * Writes events, results, projections and head into a database that has none of this shard yet.
 *
 * @param signed whether the ledger has signed it to its end
 */
export async function writeLog(sql: Sql, log: DrivenLog, { signed = true } = {}): Promise<void> {
  const { rows } = log;
  const last = rows.at(-1);
  if (!last) throw new Error('a log without events');
  await sql.$executeRaw`
    INSERT INTO ledger_shards (shard, head_position, head_hash) VALUES (${log.shard}, ${last.position}, ${last.hash})`;
  await appendEventRows(sql, rows);
  await storeResults(sql, log.events);
  await writeProjections(sql, log.shard, projectionChanges(log.events, log.state));
  if (signed) await signLog(sql, rows, [rows.length]);
}

/** What each command of these events was answered. */
export async function storeResults(sql: Sql, events: readonly RecordedEvent[]): Promise<void> {
  const state = new LedgerState();
  const answers = new Map<string, { merchant_id: string; answer: string }>();
  events.forEach((recorded, index) => {
    state.apply(recorded);
    const { command_id, merchant_id, group } = recorded;
    if (answers.has(command_id) || events[index + 1]?.group === group) return;
    const answer = expectedResult(
      events.filter((other) => other.group === group && other.shard === recorded.shard),
      state,
    );
    answers.set(command_id, { merchant_id, answer: answer ?? '' });
  });
  for (const [command_id, { merchant_id, answer }] of answers) {
    await sql.$executeRaw`
      INSERT INTO command_results (command_id, merchant_id, input_hash, result)
      VALUES (${command_id}::uuid, ${merchant_id}::uuid, 'hash', ${answer}) ON CONFLICT DO NOTHING`;
  }
}
