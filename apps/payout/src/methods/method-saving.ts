import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BankDetails, PayoutMethodView, WalletDetails } from '@stablecoin/contracts/payout/views';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Currency, Network } from '@stablecoin/money/currency';
import { asRefusal, findResult, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { OwnerKey, OwnerKeys } from '../owners/owner-keys';
import { PayoutDatabase, PayoutTransaction } from '../persistence/payout-database';
import { detailsField, MethodRow, methodView } from './sealed-method';

export type NewMethod = MerchantCommand & { customer_id?: string | null; currency: Currency };
export type MethodContent =
  { type: 'BANK'; network: null; details: BankDetails } | { type: 'WALLET'; network: Network; details: WalletDetails };

/** A command's result is kept for ever: the method in it is sealed like the method itself. */
interface StoredReply {
  method_id: string;
  sealed_view: string;
}

const replyField = (methodId: string): string => `payout_method_reply:${methodId}`;

/**
 * Saves a method of either kind: return the stored result of a repeated command, whatever happened to its owner since →
 * require that the owner exists and isn't closed → seal the method and store it once with its sealed reply.
 */
@Injectable()
export class MethodSaving {
  constructor(
    private readonly database: PayoutDatabase,
    private readonly owners: OwnerKeys,
  ) {}

  async save(command: NewMethod, content: MethodContent): Promise<CommandReply<PayoutMethodView>> {
    const customerId = command.customer_id ?? null;
    const stored = await asRefusal(() => findResult<StoredReply>(this.database, command));
    if (stored) {
      const key = await this.owners.keyOf(command.merchant_id, customerId);
      return { result: openReply(key, stored.result), replayed: true };
    }
    const key = await this.owners.currentKeyOf(command.merchant_id, customerId);
    if (key.status === 'closed') throw new Refusal('customer_closed');
    const reply = await takeEffectOnce(this.database.sql, command, (transaction) =>
      insert(transaction, command, content, key),
    );
    return { result: openReply(key, reply.result), replayed: reply.replayed };
  }
}

async function insert(
  transaction: PayoutTransaction,
  command: NewMethod,
  { type, network, details }: MethodContent,
  key: OwnerKey,
): Promise<StoredReply> {
  const id = randomUUID();
  const [row] = await transaction.$queryRaw<MethodRow[]>`
    INSERT INTO payout_methods (id, merchant_id, customer_id, type, currency, network, sealed_details, created_at, updated_at)
    SELECT ${id}::uuid, ${command.merchant_id}::uuid, ${command.customer_id ?? null}::uuid, ${type}, ${command.currency},
      ${network}, ${key.seal.seal(detailsField(id), details)}, moment, moment
    FROM clock_timestamp() AS moment
    RETURNING id, customer_id, type, currency, network, sealed_details, created_at, updated_at`;
  const view = methodView(row as MethodRow, key);
  return { method_id: id, sealed_view: key.seal.seal(replyField(id), view) };
}

function openReply(key: OwnerKey, { method_id, sealed_view }: StoredReply): PayoutMethodView {
  return key.seal.open<PayoutMethodView>(replyField(method_id), sealed_view);
}
