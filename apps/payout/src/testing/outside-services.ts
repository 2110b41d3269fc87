import { createHash, randomInt, randomUUID } from 'node:crypto';
import { findOwner, FindOwner, Owner } from '@stablecoin/contracts/customer/find-owner';
import { findScreening } from '@stablecoin/contracts/customer/find-screening';
import { ScreenMovement, screenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { ConfirmDeposit, confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { EndPayoutWait, endPayoutWait } from '@stablecoin/contracts/wallet/end-payout-wait';
import { FailDeposit, failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { FactTransaction, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { RecordDeposit, recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { PayoutResolution, ResolvePayout, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { ReverseDeposit, reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import {
  PAYOUT_DESTINATION_FIELD,
  PayoutDestination,
  TransactionStatus,
  TransactionView,
  WalletView,
} from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { Network } from '@stablecoin/money/currency';
import { wrapDataKey } from '@stablecoin/personal-data/data-key';
import { sealField } from '@stablecoin/personal-data/sealed-field';
import { NatsConnection } from 'nats';

export const MASTER_KEY = createHash('sha256').update('master key of integration tests').digest();

const dataKeyOf = (ownerId: string): Buffer => createHash('sha256').update(`data key of ${ownerId}`).digest();

/** The beginning of a customer id decides what every stand-in answers about it. */
export const closedCustomer = (): string => `c105ed00${randomUUID().slice(8)}`;
export const unknownCustomer = (): string => `dead0000${randomUUID().slice(8)}`;

export type WrapDataKey = (dataKey: Buffer, ownerId: string) => string;

const withMasterKey: WrapDataKey = (dataKey, ownerId) => wrapDataKey(MASTER_KEY, dataKey, ownerId);

/** Answers `customer.find-owner`, and what is asked of it about screening. */
export class CustomerStandIn {
  /** By payout, what its screening comes to; any other passes, held against no list. */
  readonly decisions = new Map<string, ScreeningView>();
  readonly screened: ScreenMovement[] = [];

  static async start(
    connection: NatsConnection,
    codec: SealedCodec,
    wrap: WrapDataKey = withMasterKey,
  ): Promise<CustomerStandIn> {
    const customer = new CustomerStandIn();
    const server = new BusServer(connection, codec, 'customer');
    server.serve(findOwner, async (request: FindOwner) => ownerOf(request, wrap));
    server.serve(screenMovement, async (request) => {
      customer.screened.push(request);
      return customer.decisionOn(request.id);
    });
    server.serve(findScreening, async ({ id }) => customer.decisionOn(id));
    await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
    return customer;
  }

  private decisionOn(id: string): ScreeningView {
    return this.decisions.get(id) ?? { decision: 'clear', lists: [] };
  }
}

function ownerOf({ merchant_id, customer_id }: FindOwner, wrap: WrapDataKey): Owner {
  if (customer_id?.startsWith('dead0000')) throw new Refusal('not_found');
  const ownerId = customer_id ?? merchant_id;
  const now = new Date().toISOString();
  const names = { reference: null, first_name: 'Ada', last_name: 'Lovelace', display_name: null };
  return {
    owner_id: ownerId,
    customer_id: customer_id ?? null,
    status: customer_id?.startsWith('c105ed00') ? 'closed' : 'active',
    kyc_status: 'approved',
    ...(!customer_id && modeOf(merchant_id)),
    wrapped_data_key: wrap(dataKeyOf(ownerId), ownerId),
    profile: { sn: 'ABCDEFGHIJ', email: 'ada@example.com', ...names, created_at: now, updated_at: now },
  };
}

function modeOf(merchantId: string): Pick<Owner, 'key_mode' | 'is_screened'> {
  const isLive = merchantId.startsWith('11fe0000');
  return { key_mode: isLive ? 'live' : 'test', is_screened: isLive };
}

const ALLOWED: Readonly<Record<PayoutResolution, { from: TransactionStatus; movement: Movement }>> = {
  COMPLETED: { from: 'PENDING', movement: 'payout-completed' },
  FAILED: { from: 'PENDING', movement: 'payout-failed' },
  REVERSED: { from: 'COMPLETED', movement: 'payout-reversed' },
};

interface Decision {
  result: TransactionView;
  facts: LedgerFact[];
}

/** Answers payout's requests to the ledger for one shard, once per command id, and publishes their facts. */
export class LedgerStandIn {
  /** A shard that no other spec uses, as they share a broker. */
  readonly shard = randomInt(1_000, 32_000);
  readonly transactions = new Map<string, TransactionView>();
  /** Every request that was decided, in order. */
  readonly judged: { transaction: string; what: string; outcome: string }[] = [];
  /** By wallet, the networks of its addresses; any other wallet has none. */
  readonly networksOf = new Map<string, readonly Network[]>();
  /** Requests that are answered `unavailable` and not decided. */
  outages = 0;
  /** Requests that are decided, and whose answers and facts are lost. */
  lostAnswers = 0;
  /** What an answer waits for, whose facts were published. */
  beforeAnswer: (transactionId: string) => Promise<unknown> = () => Promise.resolve();
  /** What time has brought to payouts that wait; any other one is not due. */
  readonly endOfWait = new Map<string, 'released' | 'expired'>();
  private readonly results = new Map<string, TransactionView>();
  private position = 0;

  private constructor(private readonly stream: LedgerStream) {}

  static async start(connection: NatsConnection, codec: SealedCodec): Promise<LedgerStandIn> {
    const stream = await LedgerStream.open(connection, codec);
    await stream.ensure();
    const ledger = new LedgerStandIn(stream);
    const server = new BusServer(connection, codec, 'wallet-ledger');
    server.serve(resolvePayout, (request) => ledger.resolve(request));
    server.serve(endPayoutWait, (request) => ledger.endWait(request));
    server.serve(recordDeposit, (request) => ledger.record(request));
    server.serve(confirmDeposit, (request) => ledger.confirm(request));
    server.serve(failDeposit, (request) => ledger.fail(request));
    server.serve(reverseDeposit, (request) => ledger.reverse(request));
    server.serve(getTransaction, async ({ transaction_id }) => ledger.view(transaction_id));
    server.serve(getWallet, async ({ wallet_id }) => ledger.walletView(wallet_id));
    await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
    await server.takeShard(ledger.shard);
    return ledger;
  }

  statusOf(id: string): TransactionStatus | undefined {
    return this.transactions.get(id)?.status;
  }

  outcomesOf(id: string): string[] {
    return this.judged.filter(({ transaction }) => transaction === id).map(({ what, outcome }) => `${what} ${outcome}`);
  }

  /** A payout that the ledger accepted: its transaction, and the fact of it to be published. */
  accept(
    destination: PayoutDestination,
    over: Partial<TransactionView> = {},
    movement: Movement = 'payout-accepted',
  ): { id: string; fact: LedgerFact } {
    const view = transaction({ transaction_type: 'PAYOUT', transaction_mode: 'DEBIT', ...over });
    const ownerId = view.customer_id ?? view.merchant_id;
    const sealed = sealField(dataKeyOf(ownerId), ownerId, PAYOUT_DESTINATION_FIELD, JSON.stringify(destination));
    this.transactions.set(view.id, { ...view, sealed_destination: sealed });
    return { id: view.id, fact: this.factOf(movement, view.id) };
  }

  /** A deposit that the ledger recorded and has not credited: its transaction, and the fact of it to be published. */
  deposit(over: Partial<TransactionView> = {}): { id: string; fact: LedgerFact } {
    const view = transaction({ transaction_type: 'DEPOSIT', transaction_mode: 'CREDIT', ...over });
    this.transactions.set(view.id, view);
    return { id: view.id, fact: this.factOf('deposit-recorded', view.id) };
  }

  async publish(...facts: LedgerFact[]): Promise<void> {
    await this.stream.publish(facts);
  }

  factOf(movement: Movement, id: string): LedgerFact {
    const view = this.transactions.get(id) as TransactionView;
    const { merchant_id, customer_id } = view;
    const moved: FactTransaction = {
      ...view,
      ...{ currency: view.asset_code, wallet_id: randomUUID(), reference: view.reason },
    };
    const recorded_at = new Date().toISOString();
    this.position += 1;
    return {
      shard: this.shard,
      position: this.position,
      movement,
      recorded_at,
      merchant_id,
      customer_id,
      transactions: [moved],
    };
  }

  private view(id: string): TransactionView {
    const view = this.transactions.get(id);
    if (!view) throw new Refusal('not_found');
    return view;
  }

  private walletView(id: string): WalletView {
    const created_at = new Date().toISOString();
    const addresses = (this.networksOf.get(id) ?? []).map((network) => ({
      ...{ id: randomUUID(), wallet_id: id, address: 'somewhere', network, created_at },
    }));
    return {
      ...{ id, merchant_id: randomUUID(), customer_id: null, asset_type: 'STABLECOIN', currency: 'USDT' },
      ...{ balance: '0.00000000', description: null, status: 'active', created_at, updated_at: created_at, addresses },
    };
  }

  private async resolve(request: ResolvePayout): Promise<CommandReply<TransactionView>> {
    const { from, movement } = ALLOWED[request.resolution];
    return this.once(request, request.transaction, request.resolution, () => {
      const rail = { fiat_reference_id: request.rail_reference ?? null };
      return this.move(request.transaction, from, request.resolution, movement, rail);
    });
  }

  private async endWait(request: EndPayoutWait): Promise<CommandReply<TransactionView>> {
    return this.once(request, request.transaction, 'asked', () => {
      const end = this.endOfWait.get(request.transaction);
      if (!end) throw new Refusal('invalid_transition');
      if (end === 'expired') return this.move(request.transaction, 'PENDING', 'FAILED', 'payout-failed');
      return this.move(request.transaction, 'PENDING', 'PENDING', 'payout-released');
    });
  }

  private async record(request: RecordDeposit): Promise<CommandReply<TransactionView>> {
    return this.once(request, request.wallet_id, `recorded confirmed=${request.confirmed}`, () => {
      const view = transaction({
        transaction_type: 'DEPOSIT',
        transaction_mode: 'CREDIT',
        merchant_id: request.merchant_id,
        reason: request.reference ?? null,
      });
      this.transactions.set(view.id, view);
      const facts = [this.factOf('deposit-recorded', view.id)];
      if (request.confirmed) facts.push(...this.move(view.id, 'PENDING', 'COMPLETED', 'deposit-completed').facts);
      return { result: view, facts };
    });
  }

  private async confirm(request: ConfirmDeposit): Promise<CommandReply<TransactionView>> {
    return this.once(request, request.id, 'confirmed', () =>
      this.move(request.id, 'PENDING', 'COMPLETED', 'deposit-completed'),
    );
  }

  private async fail(request: FailDeposit): Promise<CommandReply<TransactionView>> {
    return this.once(request, request.id, 'failed', () => this.move(request.id, 'PENDING', 'FAILED', 'deposit-failed'));
  }

  private async reverse(request: ReverseDeposit): Promise<CommandReply<TransactionView>> {
    return this.once(request, request.id, 'reversed', () =>
      this.move(request.id, 'COMPLETED', 'REVERSED', 'deposit-reversed'),
    );
  }

  private async once(
    command: { command_id: string },
    transactionId: string,
    what: string,
    decide: () => Decision,
  ): Promise<CommandReply<TransactionView>> {
    if (this.outages > 0) {
      this.outages -= 1;
      throw new Refusal('unavailable');
    }
    const stored = this.results.get(command.command_id);
    if (stored) return { result: stored, replayed: true };
    const { result, facts } = this.judge(transactionId, what, decide);
    this.results.set(command.command_id, result);
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1;
      throw new Refusal('unavailable');
    }
    await this.publish(...facts);
    await this.beforeAnswer(transactionId);
    return { result, replayed: false };
  }

  private judge(transactionId: string, what: string, decide: () => Decision): Decision {
    try {
      const decision = decide();
      this.judged.push({ transaction: transactionId, what, outcome: 'ok' });
      return decision;
    } catch (error) {
      this.judged.push({ transaction: transactionId, what, outcome: (error as Refusal).code });
      throw error;
    }
  }

  private move(
    id: string,
    from: TransactionStatus,
    to: TransactionStatus,
    movement: Movement,
    over: Partial<TransactionView> = {},
  ): Decision {
    const view = this.transactions.get(id);
    if (!view) throw new Refusal('not_found');
    if (view.status !== from) throw new Refusal('invalid_transition');
    const moved = { ...view, ...over, status: to };
    this.transactions.set(id, moved);
    return { result: moved, facts: [this.factOf(movement, id)] };
  }
}

function transaction(over: Partial<TransactionView>): TransactionView {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    transaction_id: randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase(),
    reference_id: randomUUID(),
    merchant_id: randomUUID(),
    customer_id: null,
    sender_wallet_id: null,
    receiver_wallet_id: null,
    transaction_type: 'PAYOUT',
    transaction_mode: 'DEBIT',
    asset_code: 'USDT',
    amount: '10.00000000',
    fee: null,
    status: 'PENDING',
    balance: '0.00000000',
    exchange_rate: null,
    amount_fiat: null,
    network: null,
    crypto_transaction_id: null,
    fiat_reference_id: null,
    recipient_currency: 'USD',
    recipient_country: null,
    bank_name: null,
    bank_code: '058',
    reason: null,
    sealed_destination: null,
    created_at: now,
    updated_at: now,
    ...over,
  };
}
