/**
 * The floor's ledger: decides in memory in the order of arrival, and writes the rows that the service's ledger writes in
 * one durable commit per batch: events, chained by their hashes, transactions, results, balances, counts. No limits, no
 * proofs, no signatures, one merchant, one shard, and a restart would not find its state again.
 */
import { createHash } from 'node:crypto';
import { Batches } from './batches';
import type { Bus, Fact } from './bus';
import { type CopiedRows, committed, type Value } from './copied-rows';
import type { Client } from 'pg';
import { textOfUnits } from './money';
import { quoted, timeOrderedId, valuesOf } from './process';

export const SCHEMA = `
  CREATE TABLE ledger_events (
    shard int NOT NULL, position bigint NOT NULL, recorded_at timestamptz(3) NOT NULL, account_id text, transaction uuid,
    body text NOT NULL, hash bytea NOT NULL, PRIMARY KEY (shard, position)
  );
  CREATE INDEX ON ledger_events (account_id, recorded_at, position);
  CREATE INDEX ON ledger_events (transaction);
  CREATE TABLE transactions (
    id uuid PRIMARY KEY, position bigint NOT NULL, merchant_id uuid NOT NULL, customer_id uuid, transaction_id text NOT NULL UNIQUE,
    reference_id uuid NOT NULL, wallet_id uuid NOT NULL, type text NOT NULL, mode text NOT NULL, currency text NOT NULL,
    amount numeric(38, 8) NOT NULL, network text, destination text, status text NOT NULL, balance numeric(38, 8) NOT NULL,
    created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL
  );
  CREATE INDEX ON transactions (merchant_id, position);
  CREATE INDEX ON transactions (customer_id, position) INCLUDE (merchant_id);
  CREATE INDEX ON transactions (reference_id);
  CREATE TABLE command_results (
    command_id uuid PRIMARY KEY, merchant_id uuid NOT NULL, input_hash text NOT NULL, result text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE wallets (
    id uuid PRIMARY KEY, merchant_id uuid NOT NULL, customer_id uuid, currency text NOT NULL, created_at timestamptz(3) NOT NULL
  );
  CREATE TABLE account_balances (account_id text PRIMARY KEY, balance numeric(38, 8) NOT NULL, updated_at timestamptz(3) NOT NULL);
  CREATE TABLE transaction_counts (
    day date, currency text, type text, status text, transactions bigint NOT NULL, PRIMARY KEY (day, currency, type, status)
  );`;

interface Identified {
  command_id: string;
  input_hash: string;
}

export type LedgerCommand = Identified &
  (
    | { kind: 'open-wallet'; customer_id: string | null; currency: string }
    | { kind: 'deposit'; wallet_id: string; units: string }
    | { kind: 'hold'; currency: string; units: string; network: string; destination: string }
    | { kind: 'settle'; id: string }
    | { kind: 'swap'; from: string; to: string; units: string; receivedUnits: string }
  );

export type LedgerReply = { refused: string } | { result: Record<string, unknown> };

interface Wallet {
  id: string;
  customer_id: string | null;
  currency: string;
}

interface Movement {
  id: string;
  transaction_id: string;
  reference_id: string;
  wallet: Wallet;
  type: string;
  mode: string;
  units: bigint;
  network: string | null;
  destination: string | null;
  status: string;
}

/** What a batch writes. */
interface Written {
  events: Value[][];
  opened: Value[][];
  moved: string[][];
  results: Value[][];
  wallets: Value[][];
  /** By day, currency, type and status. */
  counts: Map<string, { row: readonly string[]; count: number }>;
  touched: Set<string>;
  facts: Fact[];
}

const SHARD = 0;
export const MERCHANT = '00000000-0000-7000-8000-000000000001';
const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export class FloorLedger {
  private readonly batches = new Batches<LedgerCommand, LedgerReply>((commands) => this.commit(commands));
  private readonly balances = new Map<string, bigint>();
  private readonly wallets = new Map<string, Wallet>();
  private readonly pending = new Map<string, Movement>();
  private position = 0;
  private hash = Buffer.alloc(32);
  private now = '';

  constructor(
    private readonly database: Client,
    private readonly bus: Pick<Bus, 'publish'>,
  ) {}

  do(command: LedgerCommand): Promise<LedgerReply> {
    return this.batches.do(command);
  }

  private async commit(commands: readonly LedgerCommand[]): Promise<LedgerReply[]> {
    this.now = new Date().toISOString();
    const written: Written = {
      ...{ events: [], opened: [], moved: [], results: [], wallets: [], facts: [] },
      ...{ counts: new Map(), touched: new Set() },
    };
    const replies = commands.map((command) => this.decide(command, written));
    await committed(this.database, this.copiesOf(written), this.statementsOf(written));
    if (written.facts.length > 0) void this.bus.publish(written.facts);
    return replies;
  }

  private decide(command: LedgerCommand, written: Written): LedgerReply {
    const reply = this.effectOf(command, written);
    if ('result' in reply)
      written.results.push([command.command_id, MERCHANT, command.input_hash, JSON.stringify(reply.result)]);
    return reply;
  }

  private effectOf(command: LedgerCommand, written: Written): LedgerReply {
    switch (command.kind) {
      case 'open-wallet':
        return this.openWallet(command, written);
      case 'deposit':
        return this.deposit(command.wallet_id, BigInt(command.units), written);
      case 'hold':
        return this.hold(command, written);
      case 'settle':
        return this.settle(command.id, written);
      case 'swap':
        return this.swap(command, written);
    }
  }

  private openWallet(command: LedgerCommand & { kind: 'open-wallet' }, written: Written): LedgerReply {
    const wallet = { id: timeOrderedId(), customer_id: command.customer_id, currency: command.currency };
    this.wallets.set(wallet.id, wallet);
    if (wallet.customer_id === null) this.wallets.set(wallet.currency, wallet);
    written.wallets.push([wallet.id, MERCHANT, wallet.customer_id, wallet.currency, this.now]);
    this.move(wallet.id, 0n, written);
    return { result: { ...wallet, balance: textOfUnits(0n) } };
  }

  private deposit(walletId: string, units: bigint, written: Written): LedgerReply {
    const wallet = this.wallets.get(walletId);
    if (wallet === undefined) return { refused: 'not_found' };
    const movement = this.movementOf(wallet, 'DEPOSIT', 'CREDIT', units);
    this.append('TransactionStatusChanged', wallet.id, movement, written);
    this.post('DebitPosted', `external:${wallet.currency}`, movement, -units, written);
    this.post('CreditPosted', wallet.id, movement, units, written);
    this.append('TransactionStatusChanged', wallet.id, movement, written);
    return this.opened({ ...movement, status: 'COMPLETED' }, 'deposit-completed', written);
  }

  private hold(command: LedgerCommand & { kind: 'hold' }, written: Written): LedgerReply {
    const wallet = this.wallets.get(command.currency);
    const units = BigInt(command.units);
    if (wallet === undefined) return { refused: 'not_found' };
    if (this.balanceOf(wallet.id) < units) return { refused: 'insufficient_funds' };
    const { network, destination } = command;
    const movement = { ...this.movementOf(wallet, 'PAYOUT', 'DEBIT', units), network, destination };
    this.post('DebitPosted', wallet.id, movement, -units, written);
    this.post('CreditPosted', `clearing:${wallet.currency}`, movement, units, written);
    this.pending.set(movement.id, movement);
    return this.opened(movement, 'payout-held', written);
  }

  private settle(id: string, written: Written): LedgerReply {
    const movement = this.pending.get(id);
    if (movement === undefined) return { refused: 'not_found' };
    const { wallet, units } = movement;
    this.pending.delete(id);
    this.post('DebitPosted', `clearing:${wallet.currency}`, movement, -units, written);
    this.post('CreditPosted', `external:${wallet.currency}`, movement, units, written);
    this.append('TransactionStatusChanged', wallet.id, movement, written);
    const settled = { ...movement, status: 'COMPLETED' };
    written.moved.push([`${quoted(id)}::uuid`, quoted(settled.status), quoted(this.now)]);
    this.count(movement, -1, written);
    this.count(settled, 1, written);
    const view = this.viewOf(settled);
    written.facts.push({ position: this.position, kind: 'payout-completed', transactions: [view] });
    return { result: view };
  }

  private swap(command: LedgerCommand & { kind: 'swap' }, written: Written): LedgerReply {
    const [from, to] = [this.wallets.get(command.from), this.wallets.get(command.to)];
    const [sold, received] = [BigInt(command.units), BigInt(command.receivedUnits)];
    if (from === undefined || to === undefined) return { refused: 'not_found' };
    if (this.balanceOf(from.id) < sold) return { refused: 'insufficient_funds' };
    const outgoing = { ...this.movementOf(from, 'INTERNAL TRANSFER', 'DEBIT', sold), status: 'COMPLETED' };
    const { reference_id } = outgoing;
    const incoming = { ...this.movementOf(to, 'INTERNAL TRANSFER', 'CREDIT', received), reference_id };
    this.post('DebitPosted', from.id, outgoing, -sold, written);
    this.post('CreditPosted', `liquidity:${from.currency}`, outgoing, sold, written);
    this.post('DebitPosted', `liquidity:${to.currency}`, incoming, -received, written);
    this.post('CreditPosted', to.id, incoming, received, written);
    [outgoing, incoming].forEach((leg) => this.append('TransactionStatusChanged', leg.wallet.id, leg, written));
    const views = [outgoing, { ...incoming, status: 'COMPLETED' }].map((leg) => this.open(leg, written));
    written.facts.push({ position: this.position, kind: 'swap-completed', transactions: views });
    return { result: { reference_id, debit: views[0], credit: views[1] } };
  }

  private movementOf(wallet: Wallet, type: string, mode: string, units: bigint): Movement {
    const [id, reference_id] = [timeOrderedId(), timeOrderedId()];
    const transaction_id = codeOf(id);
    return {
      ...{ id, transaction_id, reference_id, wallet, type, mode, units },
      ...{ network: null, destination: null, status: 'PENDING' },
    };
  }

  private opened(movement: Movement, kind: Fact['kind'], written: Written): LedgerReply {
    const view = this.open(movement, written);
    written.facts.push({ position: this.position, kind, transactions: [view] });
    return { result: view };
  }

  private open(movement: Movement, written: Written): Record<string, unknown> {
    const { id, transaction_id, reference_id, wallet, type, mode, units, network, destination, status } = movement;
    written.opened.push([
      ...[id, this.position, MERCHANT, wallet.customer_id, transaction_id, reference_id, wallet.id, type, mode],
      ...[wallet.currency, textOfUnits(units), network, destination, status, textOfUnits(this.balanceOf(wallet.id))],
      ...[this.now, this.now],
    ]);
    this.count(movement, 1, written);
    return this.viewOf(movement);
  }

  private viewOf({ wallet, units, type, mode, ...movement }: Movement): Record<string, unknown> {
    return {
      ...movement,
      ...{ merchant_id: MERCHANT, customer_id: wallet.customer_id, wallet_id: wallet.id },
      ...{ sender_wallet_id: null, receiver_wallet_id: null, transaction_type: type, transaction_mode: mode },
      ...{ asset_code: wallet.currency, amount: textOfUnits(units), fee: null, exchange_rate: null, amount_fiat: null },
      ...{ crypto_transaction_id: null, fiat_reference_id: null, recipient_currency: null, reason: null },
      ...{ balance: textOfUnits(this.balanceOf(wallet.id)), created_at: this.now, updated_at: this.now },
    };
  }

  private count({ wallet, type, status }: Movement, by: number, { counts }: Written): void {
    const row = [this.now.slice(0, 10), wallet.currency, type, status];
    const key = row.join();
    counts.set(key, { row, count: (counts.get(key)?.count ?? 0) + by });
  }

  private post(type: string, account: string, movement: Movement, by: bigint, written: Written): void {
    this.move(account, by, written);
    this.append(type, account, movement, written);
  }

  private move(account: string, by: bigint, { touched }: Written): void {
    this.balances.set(account, this.balanceOf(account) + by);
    touched.add(account);
  }

  private balanceOf = (account: string): bigint => this.balances.get(account) ?? 0n;

  private append(type: string, account: string, movement: Movement, { events }: Written): void {
    this.position += 1;
    const { id, transaction_id, reference_id, wallet, units, destination } = movement;
    const event = {
      ...{ type, version: 1, account_id: account, currency: wallet.currency, amount: textOfUnits(units) },
      ...{ balance_after: textOfUnits(this.balanceOf(account)), transaction: id, merchant_id: MERCHANT },
      ...{ position: this.position, recorded_at: this.now, shard: SHARD, transaction_id, reference_id, destination },
    };
    const body = JSON.stringify(event);
    this.hash = createHash('sha256').update(this.hash).update(body).digest();
    events.push([SHARD, this.position, this.now, account, id, body, this.hash]);
  }

  private copiesOf({ events, opened, results, wallets }: Written): CopiedRows[] {
    return [
      { into: 'ledger_events (shard, position, recorded_at, account_id, transaction, body, hash)', rows: events },
      {
        into: `transactions (id, position, merchant_id, customer_id, transaction_id, reference_id, wallet_id, type, mode,
          currency, amount, network, destination, status, balance, created_at, updated_at)`,
        rows: opened,
      },
      { into: 'command_results (command_id, merchant_id, input_hash, result)', rows: results },
      { into: 'wallets (id, merchant_id, customer_id, currency, created_at)', rows: wallets },
    ];
  }

  private statementsOf({ moved, counts, touched }: Written): string[] {
    const balances = [...touched].map((account) => [
      ...[quoted(account), `${textOfUnits(this.balanceOf(account))}::numeric`, `${quoted(this.now)}::timestamptz`],
    ]);
    const changed = [...counts.values()].filter(({ count }) => count !== 0);
    const counted = changed.map(({ row: [day = '', ...others], count }) => [
      ...[`${quoted(day)}::date`, ...others.map(quoted), String(count)],
    ]);
    return [
      ...(moved.length === 0
        ? []
        : [
            `UPDATE transactions SET status = moved.status, updated_at = moved.at::timestamptz
             FROM (VALUES ${valuesOf(moved)}) AS moved (id, status, at) WHERE transactions.id = moved.id`,
          ]),
      ...(balances.length === 0
        ? []
        : [
            `INSERT INTO account_balances VALUES ${valuesOf(balances)}
             ON CONFLICT (account_id) DO UPDATE SET balance = excluded.balance, updated_at = excluded.updated_at`,
          ]),
      ...(counted.length === 0
        ? []
        : [
            `INSERT INTO transaction_counts VALUES ${valuesOf(counted)} ON CONFLICT (day, currency, type, status)
             DO UPDATE SET transactions = transaction_counts.transactions + excluded.transactions`,
          ]),
    ];
  }
}

/** Ten characters, drawn with the id. */
function codeOf(id: string): string {
  const digits = createHash('sha256').update(id).digest();
  return Array.from(digits.subarray(0, 10), (byte) => CODE_CHARACTERS[byte % CODE_CHARACTERS.length]).join('');
}
