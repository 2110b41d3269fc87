import { CloseCustomer, closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { closeCustomerAccount, closeCustomerCommandName } from '@stablecoin/contracts/wallet/close-customer-account';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { findCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { CustomerWriter } from './customer-writer';

/**
 * Closing spans two services: store the intent → the ledger closes the customer's account, or refuses while money or
 * open payouts remain → mark the customer closed and store the answer. Every step can be repeated: the ledger's command
 * id is derived from the customer, and after a crash behind the ledger's commit its fact closes the customer
 * (closed-customers.consumer.ts). After a refusal the intent is withdrawn.
 */
@Handles(closeCustomer)
export class CloseCustomerHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly customers: CustomerWriter,
    private readonly bus: BusClient,
    private readonly clock: Clock,
  ) {}

  async execute(command: CloseCustomer) {
    const answered = await this.customers.findAnswer(command);
    if (answered) return answered;
    const customer = await asRefusal(() => findCustomer(this.database, command.merchant_id, command.customer_id));
    if (customer.status === 'active') await this.closeAccount(command);
    return this.customers.close(command);
  }

  private async closeAccount({ merchant_id, customer_id }: CloseCustomer): Promise<void> {
    await this.setIntent(customer_id, this.clock.now());
    const { shard } = await asRefusal(() =>
      this.database.merchant.findUniqueOrThrow({ where: { id: merchant_id }, select: { shard: true } }),
    );
    try {
      await this.bus.call(closeCustomerAccount, { merchant_id, customer_id, ...closeInLedger(customer_id) }, { shard });
    } catch (error) {
      if (error instanceof Refusal && error.code === 'customer_not_empty') await this.setIntent(customer_id, null);
      throw error;
    }
  }

  private async setIntent(customerId: string, requestedAt: Date | null): Promise<void> {
    await asRefusal(() =>
      this.database.customer.updateMany({
        where: { id: customerId, status: 'active' },
        data: { closing_requested_at: requestedAt },
      }),
    );
  }
}

/** A customer is closed once: every request to close it, by any caller, becomes the same command to the ledger. */
export function closeInLedger(customerId: string): { command_id: string; input_hash: string } {
  return derivedCommand(closeCustomerCommandName(customerId), { customer_id: customerId });
}
