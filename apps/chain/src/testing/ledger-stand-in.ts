import { randomInt, randomUUID } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { FactAddress, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { listPublishedPositions } from '@stablecoin/contracts/wallet/list-published-positions';
import { readFacts } from '@stablecoin/contracts/wallet/read-facts';
import { RecordDeposit, recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { TransactionStatus, TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { Currency, Network } from '@stablecoin/money/currency';
import { NatsConnection } from 'nats';

export interface OpenedWallet {
  id: string;
  merchantId: string;
  fact: LedgerFact;
}

const ALLOWED = {
  confirm: { from: 'PENDING', to: 'COMPLETED' },
  fail: { from: 'PENDING', to: 'FAILED' },
  reverse: { from: 'COMPLETED', to: 'REVERSED' },
} as const;

/** Answers the chain service's requests to the ledger for one shard, once per command id, and publishes wallets' facts. */
export class LedgerStandIn {
  /** A shard that no other spec uses, as they share a broker. */
  readonly shard = randomInt(1_000, 32_000);
  /** By id, in the order in which they were recorded. */
  readonly transactions = new Map<string, TransactionView>();
  /** Everything that was decided, once per command: `recorded`, `COMPLETED`, … by the hash of the chain's transaction. */
  readonly judged: string[] = [];
  /** Refuses to record for these wallets. */
  readonly closed = new Set<string>();
  /** Requests that are decided and whose answer is lost. */
  lostAnswers = 0;
  /** The facts, published or not. */
  readonly log: LedgerFact[] = [];
  private readonly wallets = new Map<string, Currency>();
  private readonly results = new Map<string, { inputHash: string; result: TransactionView }>();

  private constructor(private readonly stream: LedgerStream) {}

  static async start(connection: NatsConnection, codec: SealedCodec): Promise<LedgerStandIn> {
    const stream = await LedgerStream.open(connection, codec);
    await stream.ensure();
    const ledger = new LedgerStandIn(stream);
    const server = new BusServer(connection, codec, 'wallet-ledger');
    server.serve(recordDeposit, (request) => ledger.once(request, 'recorded', () => ledger.record(request)));
    server.serve(confirmDeposit, (request) => ledger.once(request, 'COMPLETED', () => ledger.move(request, 'confirm')));
    server.serve(failDeposit, (request) => ledger.once(request, 'FAILED', () => ledger.move(request, 'fail')));
    server.serve(reverseDeposit, (request) => ledger.once(request, 'REVERSED', () => ledger.move(request, 'reverse')));
    server.serve(getTransaction, async ({ transaction_id }) => ledger.byCode(transaction_id));
    server.serve(listPublishedPositions, async () => [{ shard: ledger.shard, position: ledger.log.length }]);
    server.serve(readFacts, async ({ shard, after }) => {
      const facts = shard === ledger.shard ? ledger.log.slice(after, after + 100) : [];
      return { facts, last: facts.at(-1)?.position ?? after };
    });
    await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
    await server.takeShard(ledger.shard);
    return ledger;
  }

  /** A wallet with one address on these networks, and the fact of it to be published. */
  open(currency: Currency, address: Hex, ...networks: Network[]): OpenedWallet {
    const [id, merchantId] = [randomUUID(), randomUUID()];
    this.wallets.set(id, currency);
    const deposit_addresses = networks.map((network): FactAddress => ({ wallet_id: id, network, address }));
    const fact: LedgerFact = {
      ...{ shard: this.shard, position: this.log.length + 1, movement: 'wallet-opened', transactions: [] },
      ...{ recorded_at: new Date().toISOString(), merchant_id: merchantId, customer_id: null },
      wallet: { id, currency },
      deposit_addresses,
    };
    this.log.push(fact);
    return { id, merchantId, fact };
  }

  /** As if the wallet had never been. */
  forget(walletId: string): void {
    this.wallets.delete(walletId);
  }

  async publish(...facts: LedgerFact[]): Promise<void> {
    await this.stream.publish(facts);
  }

  /** The deposits that came with a transaction of the chain, as amount and status. */
  depositsOf(hash: Hex): string[] {
    return [...this.transactions.values()]
      .filter((view) => view.crypto_transaction_id === hash)
      .map(({ amount, status }) => `${amount} ${status}`);
  }

  private async once(
    command: { command_id: string; input_hash: string },
    what: string,
    decide: () => TransactionView,
  ): Promise<CommandReply<TransactionView>> {
    const stored = this.results.get(command.command_id);
    if (stored && stored.inputHash !== command.input_hash) throw new Refusal('idempotency_key_reused');
    if (stored) return { result: stored.result, replayed: true };
    const result = decide();
    this.results.set(command.command_id, { inputHash: command.input_hash, result });
    this.judged.push(`${result.crypto_transaction_id ?? ''} ${what}`);
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1;
      throw new Refusal('unavailable');
    }
    return { result, replayed: false };
  }

  private record(request: RecordDeposit): TransactionView {
    const currency = this.wallets.get(request.wallet_id);
    if (!currency) throw new Refusal('not_found');
    if (this.closed.has(request.wallet_id)) throw new Refusal('customer_closed');
    const view = deposit(request, currency);
    this.transactions.set(view.id, view);
    return view;
  }

  private move({ id }: { id: string }, kind: keyof typeof ALLOWED): TransactionView {
    const { from, to } = ALLOWED[kind];
    const view = this.view(id);
    if (view.status !== from) throw new Refusal('invalid_transition');
    const moved = { ...view, status: to as TransactionStatus };
    this.transactions.set(id, moved);
    return moved;
  }

  private view(id: string): TransactionView {
    const view = this.transactions.get(id);
    if (!view) throw new Refusal('not_found');
    return view;
  }

  private byCode(code: string): TransactionView {
    const found = [...this.transactions.values()].find(({ transaction_id }) => transaction_id === code);
    if (!found) throw new Refusal('not_found');
    return found;
  }
}

function deposit(request: RecordDeposit, currency: Currency): TransactionView {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    transaction_id: randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase(),
    reference_id: randomUUID(),
    merchant_id: request.merchant_id,
    customer_id: null,
    sender_wallet_id: null,
    receiver_wallet_id: request.wallet_id,
    transaction_type: 'DEPOSIT',
    transaction_mode: 'CREDIT',
    asset_code: currency,
    amount: request.amount,
    fee: null,
    status: 'PENDING',
    balance: '0.00000000',
    exchange_rate: null,
    amount_fiat: null,
    network: request.network ?? null,
    crypto_transaction_id: request.crypto_transaction_id ?? null,
    fiat_reference_id: null,
    recipient_currency: null,
    recipient_country: null,
    bank_name: null,
    bank_code: null,
    reason: null,
    sealed_destination: null,
    created_at: now,
    updated_at: now,
  };
}
