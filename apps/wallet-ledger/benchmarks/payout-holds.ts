/** Payout holds through a shard's writer, as the service's handler submits them. */
import { createHash, randomUUID } from 'node:crypto';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { isCommandMac } from '@stablecoin/command-proofs/command-mac';
import { signHead } from '@stablecoin/event-proofs/signed-head';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { EPOCH } from '@stablecoin/ledger-domain/events';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { acquireLease, ensureShards, settledHead } from '../src/event-log/lease';
import { ShardWriter } from '../src/event-log/shard-writer';
import { timeOrderedId } from '../src/identifiers/time-ordered-id';
import { shownTransaction } from '../src/transactions/transaction-view';

const SHARD = 0;
const FUNDS = '1000000000';
/** As long as a sealed bank account is. */
const SEALED_DESTINATION = `v1.${'c'.repeat(180)}`;

const CALLER_KEYS = new Map([['gateway', [Buffer.alloc(32, 1)]]]);

/** As for each command that arrives on the bus; what comes of it costs the same. */
const checkMac = (deadline: number, body: LedgerCommand) =>
  isCommandMac(CALLER_KEYS, { service: 'gateway', subject: 'wallet.hold-payout.0', deadline, body }, 'A'.repeat(43));
const CREATOR = { key_id: randomUUID(), signer_id: randomUUID() };
/** Of each destination once: the gateway makes it, so it is no cost of the writer's. */
const hashes = new Map<number, string>();

export interface WalletOwner {
  merchant_id: string;
  customer_id: string | null;
}

const SIGNER = new NoteSigner('benchmark/0', Buffer.alloc(32, 2));
/** As large as a signature: what is bare writes the same rows. */
const UNSIGNED = Buffer.alloc(76);

/** Whether callers are known by their MACs, kept in the log, and heads are signed, as in the service. Bare, to see what that costs. */
interface Proving {
  isBare: boolean;
}

export class PayoutHolds {
  private constructor(
    private readonly writer: ShardWriter,
    private readonly proving: Proving,
  ) {}

  static async open(database: LedgerDatabase): Promise<PayoutHolds> {
    await ensureShards(database, SHARD + 1);
    const lease = await acquireLease(database, SHARD, randomUUID());
    const head = lease && (await settledHead(database, lease));
    if (!lease || !head) throw new Error('another writer holds the shard');
    const proving: Proving = { isBare: false };
    const addresses = new DepositAddresses(Buffer.alloc(64, 7));
    const writer = new ShardWriter({
      database,
      lease,
      head,
      lastRecordedAt: EPOCH,
      deriveAddress: addresses.derive.bind(addresses),
      now: () => new Date(),
      onCommit: () => undefined,
      onLeaseLost: () => undefined,
      signHead: (end) => (proving.isBare ? UNSIGNED : signHead(end, SIGNER)),
    });
    return new PayoutHolds(writer, proving);
  }

  close(): Promise<void> {
    return this.writer.close();
  }

  /** Does it without MACs and signatures. */
  async bare<Done>(work: () => Promise<Done>): Promise<Done> {
    this.proving.isBare = true;
    try {
      return await work();
    } finally {
      this.proving.isBare = false;
    }
  }

  /** Wallets in USD with money in them, one for each owner. */
  async fund(owners: readonly WalletOwner[]): Promise<void> {
    await Promise.all(
      owners.map(async (owner) => {
        const wallet_id = timeOrderedId();
        await this.submit({
          kind: 'OpenWallet',
          ...owner,
          wallet_id,
          address_id: timeOrderedId(),
          address_index: 0,
          currency: 'USD',
          network: null,
          description: null,
        });
        await this.submit({
          kind: 'RecordDeposit',
          merchant_id: owner.merchant_id,
          id: timeOrderedId(),
          reference_id: timeOrderedId(),
          wallet_id,
          amount: FUNDS,
          network: null,
          reference: null,
          confirmed: true,
        });
      }),
    );
  }

  /** A limit of each kind, none of which is reached. */
  async limit(merchant_id: string): Promise<void> {
    const limits = (['merchant', 'customer', 'destination'] as const).flatMap((per) =>
      (['payment', 'hour', 'day', 'month'] as const).map(
        (within) => ({ currency: 'USD', per, within, amount: `${FUNDS}.00000000`, count: 1_000_000_000 }) as const,
      ),
    );
    await this.submit({
      ...{ kind: 'ChangePolicy', merchant_id, changed_by: 'a benchmark', reason: 'to be measured' },
      policy: { limits, new_destination_wait_seconds: 0 },
    });
  }

  /** @param destination by its number; without it the payout is as one of a merchant without a policy */
  hold(owner: WalletOwner, destination?: number): Promise<unknown> {
    const isLimited = destination !== undefined;
    // Field by field, as all others: an object made of parts of others costs more than its limits do.
    return this.submit({
      kind: 'HoldPayout',
      merchant_id: owner.merchant_id,
      customer_id: owner.customer_id,
      destination_hash: isLimited ? hashOf(destination) : undefined,
      created_by: isLimited ? CREATOR : undefined,
      id: timeOrderedId(),
      reference_id: timeOrderedId(),
      currency: 'USD',
      amount: '1.00',
      network: null,
      sealed_destination: SEALED_DESTINATION,
      bank_name: 'First Bank',
      bank_code: '011',
      recipient_currency: 'USD',
      recipient_country: 'United States',
      exchange_rate: '1',
      fee_schedule: null,
    });
  }

  private submit(command: LedgerCommand): Promise<unknown> {
    const command_id = randomUUID();
    const input_hash = createHash('sha256').update(command_id).digest('hex');
    const { merchant_id } = command;
    const context = freshRequestContext(command_id);
    const { isBare } = this.proving;
    if (!isBare) checkMac(context.deadline, command);
    const caller = { service: 'gateway', request: { by: 'gateway', merchant_id, mode: 'test', mac: '' } };
    return withRequestContext({ ...context, ...(!isBare && { caller }) }, () =>
      this.writer.submit({
        request: { merchant_id, command_id, input_hash },
        command,
        result: (ledger) => ('id' in command ? shownTransaction(ledger, command.id) : null),
      }),
    );
  }
}

function hashOf(destination: number): string {
  const known = hashes.get(destination);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(String(destination)).digest('hex');
  hashes.set(destination, hash);
  return hash;
}
