import { DecideKyc, decideKyc } from '@stablecoin/contracts/customer/decide-kyc';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { lockCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { screeningOfCustomer } from '@stablecoin/customer-store/screening/customer-screening';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { actedByPerson } from './acted-by-person';

@Handles(decideKyc)
export class DecideKycHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly administration: CustomerAdministration,
  ) {}

  execute(command: DecideKyc) {
    const { merchant_id: merchantId, customer_id: customerId, kyc_status: kycStatus, reason } = command;
    return takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await lockCustomer(transaction, merchantId, customerId);
      if (kycStatus === 'approved' && (await screeningOfCustomer(transaction, customerId)).isHeld)
        throw Refusal.ofField(
          'kyc_status',
          'held',
          'can not be approved: a hit of the screening stands against the customer',
        );
      const decided = { merchantId, customerId, kycStatus };
      await this.administration.setKycStatusWithin(transaction, decided, actedByPerson(command, reason));
      return { customer_id: customerId, kyc_status: kycStatus };
    });
  }
}
