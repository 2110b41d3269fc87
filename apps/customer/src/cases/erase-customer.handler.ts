import { EraseCustomer, eraseCustomer } from '@stablecoin/contracts/customer/erase-customer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration, NotClosed } from '@stablecoin/customer-store/customers/customer-administration';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { actedByPerson } from './acted-by-person';
import { refusedAs } from '../refused-as';

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
      const by = actedByPerson(command, reason);
      const { erased_at } = await refusedAs(NotClosed, notClosed, () =>
        this.administration.eraseWithin(transaction, merchantId, customerId, by),
      );
      return { customer_id: customerId, erased_at };
    });
  }
}

const notClosed = () =>
  Refusal.ofField('customer', 'not_closed', 'is not closed: its merchant closes it, then it can be erased');
