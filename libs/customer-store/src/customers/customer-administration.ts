import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KycStatus } from '@stablecoin/contracts/customer/views';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Clock } from '../clock';
import { CustomerDatabase } from '../customer-database';
import { customerEvent } from '../events/customer-event';
import { recordEvents } from '../events/record-events';
import { lockCustomer } from './customer-record';

/** What people decide about customers, from the command line: the outcome of a review, and erasure. */
export class CustomerAdministration {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
  ) {}

  async setKycStatus(merchantId: string, customerId: string, kycStatus: KycStatus) {
    return this.database.$transaction(async (transaction) => {
      const customer = await lockCustomer(transaction, merchantId, customerId);
      if (customer.kyc_status !== kycStatus) {
        const event_sequence = customer.event_sequence + 1;
        const data = { kyc_status: kycStatus, event_sequence, updated_at: this.clock.now() };
        await transaction.customer.update({ where: { id: customerId }, data, select: { id: true } });
        await recordEvents(transaction, [customerEvent('customer.updated', { ...customer, ...data })]);
      }
      return { merchant_id: merchantId, customer_id: customerId, kyc_status: kycStatus };
    }, TRANSACTION_LIMITS);
  }

  /**
   * Makes a closed customer's personal data unreadable for good, here and wherever else it was sealed with the same
   * data key, by deleting that key; its e-mail address and phone number are free again. The ledger's log, which holds
   * ids only, still verifies.
   */
  async erase(merchantId: string, customerId: string) {
    return this.database.$transaction(async (transaction) => {
      const { status } = await lockCustomer(transaction, merchantId, customerId);
      if (status !== 'closed') throw new OperatorError('Only a closed customer can be erased.');
      const erasedAt = this.clock.now();
      await transaction.customer.update({
        where: { id: customerId },
        data: { erased_at: erasedAt, email_index: null, phone_index: null },
        select: { id: true },
      });
      await transaction.dataKey.delete({ where: { owner_id: customerId }, select: { owner_id: true } });
      return { merchant_id: merchantId, customer_id: customerId, erased_at: erasedAt.toISOString() };
    }, TRANSACTION_LIMITS);
  }
}
