/**
 * Writes a log of any length for audits: real commands through the real decider, chained, projected and signed by the
 * ledger's own code, many at a time because no caller waits. Ids and amounts are derived from a counter, so that every
 * run audits the same log. Memory stays small because it forgets settled transactions.
 */
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { originOf, signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange, CompleteNode } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { TILE_LEVELS } from '@stablecoin/event-proofs/tree-proofs';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { decide } from '@stablecoin/ledger-domain/decide';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { insertCheckpoint, insertTreeNodes } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { expectedResult } from '@stablecoin/ledger-log/log/expected-result';
import { appendEventRows, EventRow, eventRows } from '@stablecoin/ledger-store/event-rows';
import { projectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { Sql } from '@stablecoin/persistence/sql';

const SHARD = 0;
const CUSTOMERS = 2_000;
const FIRST_MS = Date.UTC(2026, 0, 1);
const EVENTS_AT_ONCE = 4_000;
/** The service signs once a minute; 5,000 events between two checkpoints stand for a ledger under load. */
const EVENTS_PER_CHECKPOINT = 5_000;
/** How many rounds of other commands pass before a payout is resolved. */
const ROUNDS_UNTIL_RESOLVED = 500;

export class WrittenLog {
  private readonly state = new LedgerState();
  private readonly range = new CompactRange();
  private readonly signer = new NoteSigner(originOf('benchmark', SHARD), Buffer.alloc(32, 7));
  private readonly merchant_id: string;
  private readonly wallets: { customer_id: string | null; wallet_id: string }[] = [];
  private readonly underWay: string[] = [];
  private readonly settled: string[] = [];
  private pending: RecordedEvent[] = [];
  private head: { position: number; hash: Uint8Array } = { position: 0, hash: GENESIS_HASH };
  private signedAt: number | null = null;
  private ids = 0;
  private rounds = 0;
  /** What each command was answered, until it is stored. */
  private readonly results = new Map<string, string>();
  private readonly nodes: CompleteNode[] = [];
  private last: EventRow | undefined;

  constructor(private readonly sql: Sql) {
    this.merchant_id = this.id();
  }

  get length(): number {
    return this.head.position;
  }

  /** Appends until the log has at least this many events. */
  async grow(events: number): Promise<void> {
    if (this.wallets.length === 0) this.open();
    while (this.nextPosition <= events) {
      this.business();
      if (this.pending.length >= EVENTS_AT_ONCE) await this.write();
    }
    await this.write();
    await this.signEnd();
  }

  private get nextPosition(): number {
    return this.head.position + this.pending.length + 1;
  }

  private open(): void {
    for (let number = 0; number <= CUSTOMERS; number += 1) {
      const customer_id = number === 0 ? null : this.id();
      this.openWallet(customer_id, 'USD');
      if (number === 0) this.openWallet(customer_id, 'EUR');
    }
  }

  private openWallet(customer_id: string | null, currency: 'USD' | 'EUR'): void {
    const wallet_id = this.id();
    const none = { network: null, description: null, address_id: this.id(), address_index: this.ids };
    this.submit({ kind: 'OpenWallet', merchant_id: this.merchant_id, customer_id, wallet_id, currency, ...none });
    if (currency === 'USD') this.wallets.push({ customer_id, wallet_id });
    this.deposit(wallet_id, '1000000');
  }

  /** Two of ten rounds begin with a deposit; three of ten payouts are from the merchant's own wallet. */
  private business(): void {
    this.rounds += 1;
    const turn = this.rounds % 10;
    const wallet = this.wallets[turn < 3 ? 0 : 1 + ((this.rounds * 7_919) % CUSTOMERS)];
    if (!wallet) throw new Error('no wallet was opened');
    if (turn >= 8) this.deposit(wallet.wallet_id, `${50 + (this.rounds % 500)}.25`);
    if (turn === 5) this.swap();
    this.hold(wallet.customer_id);
    const due = this.underWay.length > ROUNDS_UNTIL_RESOLVED ? this.underWay.shift() : undefined;
    if (due) this.resolve(due, this.rounds % 20 === 0 ? 'FAILED' : 'COMPLETED');
  }

  private deposit(wallet_id: string, amount: string): void {
    const id = this.id();
    const about = { id, reference_id: this.id(), wallet_id, amount, network: null, reference: `statement ${this.ids}` };
    this.submit({ kind: 'RecordDeposit', merchant_id: this.merchant_id, ...about, confirmed: true });
    this.settled.push(id);
  }

  private hold(customer_id: string | null): void {
    const id = this.id();
    this.submit({
      kind: 'HoldPayout',
      merchant_id: this.merchant_id,
      customer_id,
      id,
      reference_id: this.id(),
      currency: 'USD',
      amount: `${1 + (this.rounds % 90)}.50`,
      network: null,
      sealed_destination: `v1.${'c2VhbGVkIGRlc3RpbmF0aW9u'.repeat(4)}`,
      bank_name: 'First Bank',
      bank_code: '011',
      recipient_currency: 'NGN',
      recipient_country: 'NG',
      exchange_rate: '1550.25',
      fee_schedule: { flat: '0.25', basis_points: 100 },
    });
    this.underWay.push(id);
  }

  private resolve(transaction: string, resolution: 'COMPLETED' | 'FAILED'): void {
    const rail_reference = `rail-${this.rounds}`;
    this.submit({
      kind: 'ResolvePayout',
      merchant_id: this.merchant_id,
      transaction,
      resolution,
      rail_reference,
      onward: null,
    });
    this.settled.push(transaction);
  }

  private swap(): void {
    const ids = { debit_id: this.id(), credit_id: this.id(), swap_id: this.id() };
    this.submit({
      kind: 'PostSwap',
      merchant_id: this.merchant_id,
      customer_id: null,
      ...ids,
      from_currency: 'USD',
      to_currency: 'EUR',
      from_amount: '10',
      to_amount: '9.2',
      quoted_price: '0.92',
      valid_until: '9999-12-31T23:59:59.999Z',
    });
    this.settled.push(ids.debit_id, ids.credit_id);
  }

  private submit(command: LedgerCommand): void {
    const command_id = this.id();
    const recorded_at = new Date(FIRST_MS + this.ids * 20).toISOString();
    const [before, first] = [this.pending.length, this.nextPosition];
    const groups = decide(command, this.state, {
      shard: SHARD,
      nextPosition: this.nextPosition,
      now: recorded_at,
      deriveAddress: (network, index) => `${network}-${index}`,
    });
    for (const { movement, merchant_id, customer_id, events } of groups) {
      const group = this.nextPosition;
      for (const event of events) {
        const place = { shard: SHARD, position: this.nextPosition, group };
        const recorded = { ...place, movement, recorded_at, command_id, merchant_id, customer_id, event };
        this.pending.push(recorded);
        this.state.apply(recorded);
      }
      if (group === first) this.results.set(command_id, expectedResult(this.pending.slice(before), this.state) ?? '');
    }
  }

  private async write(): Promise<void> {
    const events = this.pending;
    const rows = eventRows(events, this.head.hash);
    const last = rows.at(-1);
    if (!last) return;
    await appendEventRows(this.sql, rows);
    await this.sql.$executeRaw`
      INSERT INTO command_results (command_id, merchant_id, input_hash, result)
      SELECT command_id, ${this.merchant_id}::uuid, md5(command_id::text), result
      FROM unnest(${[...this.results.keys()]}::uuid[], ${[...this.results.values()]}::text[]) AS command (command_id, result)`;
    this.results.clear();
    await writeProjections(this.sql, SHARD, projectionChanges(events, this.state));
    await this.sql.$executeRaw`
      INSERT INTO ledger_shards (shard, head_position, head_hash) VALUES (${SHARD}, ${last.position}, ${last.hash})
      ON CONFLICT (shard) DO UPDATE SET head_position = excluded.head_position, head_hash = excluded.head_hash`;
    await this.sign(rows);
    this.head = last;
    this.pending = [];
    for (const id of this.settled.splice(0)) {
      const transaction = this.state.transaction(id);
      if (transaction) this.state.forgetTransaction(transaction);
    }
  }

  private async sign(rows: readonly EventRow[]): Promise<void> {
    for (const row of rows) {
      const completed = this.range.append(leafOfEvent(row.body, row.hash));
      this.nodes.push(...completed.filter(({ level }) => level % TILE_LEVELS === 0));
      this.last = row;
      if (this.range.size % EVENTS_PER_CHECKPOINT === 0) await this.signEnd();
    }
  }

  private async signEnd(): Promise<void> {
    const { size, root, hashes } = this.range;
    if (!this.last || size === this.signedAt) return;
    const { hash, recorded_at } = this.last;
    const note = signCheckpoint({ size, root, time: recorded_at }, this.signer);
    const key = { key_id: this.signer.keyId, verifier_key: this.signer.verifierKey, created_at: recorded_at };
    const edge = { previous_size: this.signedAt, note, range: hashes, head_hash: hash };
    await insertCheckpoint(this.sql, { shard: SHARD, size, ...edge, ...key }, 0n);
    await insertTreeNodes(this.sql, SHARD, this.nodes.splice(0));
    this.signedAt = size;
  }

  /** A UUID that is derived from a counter. */
  private id(): string {
    this.ids += 1;
    // Scattered like random ids: in the order of a counter, every index would be cheaper than in reality.
    const scattered = ((this.ids * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
    return `${scattered}-0000-7000-8000-${String(this.ids).padStart(12, '0')}`;
  }
}
