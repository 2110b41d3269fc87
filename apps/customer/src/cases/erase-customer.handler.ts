import { EraseCustomer, eraseCustomer } from '@stablecoin/contracts/customer/erase-customer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { lockCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { actedByPerson } from './acted-by-person';

/** Of a customer that is closed, for which the ledger was asked: it has no money and no open payout, and moves nothing any more. */
@Handles(eraseCustomer)
export class EraseCustomerHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly administration: CustomerAdministration,
  ) {}

  execute(command: EraseCustomer) {
    const { merchant_id: merchantId, customer_id: customerId, reason } = command;
    return takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      const { status } = await lockCustomer(transaction, merchantId, customerId);
      if (status !== 'closed')
        throw Refusal.ofField('customer', 'not_closed', 'is not closed: its merchant closes it, then it can be erased');
      const by = actedByPerson(command, reason);
      const { erased_at } = await this.administration.eraseWithin(transaction, merchantId, customerId, by);
      return { customer_id: customerId, erased_at };
    });
  }
}
