import {
  ExplainedEvent,
  ExplainTransaction,
  TransactionExplanation,
  explainTransaction,
} from '@stablecoin/contracts/wallet/explain-transaction';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { OpenedTransaction, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { isOfTheHouse } from '@stablecoin/ledger-store/checkpoints/prove';
import { EventRow, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from './audit-work';
import { auditedTransaction } from './audited-transaction';

@Handles(explainTransaction)
export class ExplainTransactionHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: ExplainTransaction): Promise<TransactionExplanation> {
    return this.work.run(() => asRefusal(() => this.explain(request)));
  }

  private async explain({ merchant_id, transaction_id }: ExplainTransaction): Promise<TransactionExplanation> {
    const { reads } = await this.databases.forReads();
    const { id, shard, rows, events } = await auditedTransaction(reads, merchant_id, transaction_id);
    const opened = events.flatMap(({ event }) => ('opens' in event && event.opens) || []);
    const opens = opened.find((one) => one.id === id) as OpenedTransaction;
    const checkpoint = await latestCheckpoint(reads, shard);
    const covers = checkpoint !== undefined && checkpoint.size >= (rows.at(-1)?.position ?? 0);
    return {
      id,
      transaction_id: opens.transaction_id,
      reference_id: opens.reference_id,
      transaction_type: opens.transaction_type,
      transaction_mode: opens.transaction_mode,
      asset_code: opens.currency,
      amount: opens.amount,
      fee: opens.fee ?? null,
      quote_id: opens.transaction_type === 'INTERNAL TRANSFER' ? opens.reference_id : null,
      rail_reference: railReferenceOf(opens, events),
      statuses: statusesOf(id, events),
      checkpoint_size: covers ? checkpoint.size : null,
      events: rows.flatMap(explained),
    };
  }
}

function railReferenceOf(opens: OpenedTransaction, events: readonly RecordedEvent[]): string | null {
  const references = events.flatMap(({ event }) =>
    event.type === 'TransactionStatusChanged' ? (event.fiat_reference_id ?? event.crypto_transaction_id ?? []) : [],
  );
  return references.at(-1) ?? opens.crypto_transaction_id ?? null;
}

function statusesOf(id: string, events: readonly RecordedEvent[]): TransactionExplanation['statuses'] {
  return events.flatMap(({ event, recorded_at, position }) => {
    if (event.type === 'TransactionStatusChanged' && event.transaction === id) {
      return [{ status: event.to, recorded_at, position }];
    }
    const opensByPosting = event.type === 'DebitPosted' && event.opens?.id === id;
    return opensByPosting ? [{ status: 'PENDING' as const, recorded_at, position }] : [];
  });
}

/** Without the hash of the chain: from it, the balances of neighbouring house accounts could be found by trial. */
function explained({ body, hash }: EventRow): ExplainedEvent[] {
  const { position, group, movement, recorded_at, command_id, event } = recordedEvent(body);
  // What a policy has said of a payout, and who has approved it, posts to no account.
  if (!('account_id' in event)) return [];
  const isStatus = event.type === 'TransactionStatusChanged';
  const shown: ExplainedEvent = {
    position,
    group,
    movement,
    recorded_at,
    command_id,
    type: event.type,
    account_id: event.account_id,
    currency: isStatus ? null : event.currency,
    amount: isStatus ? null : event.amount,
    from_status: isStatus ? event.from : null,
    to_status: isStatus ? event.to : null,
    balance_after: isOfTheHouse(body) ? null : event.balance_after,
    leaf_hash: leafOfEvent(body, hash).toString('hex'),
  };
  return [shown];
}
