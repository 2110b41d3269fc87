import { DecideKyc, decideKyc } from '@stablecoin/contracts/customer/decide-kyc';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration, HeldByScreening } from '@stablecoin/customer-store/customers/customer-administration';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { actedByPerson } from './acted-by-person';
import { refusedAs } from '../refused-as';

@Handles(decideKyc)
export class DecideKycHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly administration: CustomerAdministration,
  ) {}

  execute(command: DecideKyc) {
    const { merchant_id: merchantId, customer_id: customerId, kyc_status: kycStatus, reason } = command;
    return takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      const decided = { merchantId, customerId, kycStatus };
      await refusedAs(HeldByScreening, held, () =>
        this.administration.setKycStatusWithin(transaction, decided, actedByPerson(command, reason)),
      );
      return { customer_id: customerId, kyc_status: kycStatus };
    });
  }
}

const held = () =>
  Refusal.ofField('kyc_status', 'held', 'can not be approved: a hit of the screening stands against the customer');
