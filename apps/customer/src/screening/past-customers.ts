import { Injectable } from '@nestjs/common';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { PastCustomerScreening } from '@stablecoin/customer-store/customers/past-customer-screening';
import { PastScreening } from '@stablecoin/persistence/past-screening';

interface PastCustomer {
  id: string;
  merchant_id: string;
}

/** Customers that were registered before they were screened: held against the lists that there are, and against each new one. */
@Injectable()
export class PastCustomers extends PastScreening<PastCustomer> {
  constructor(database: CustomerDatabase, screening: PastCustomerScreening) {
    super({
      what: 'customers',
      database,
      after: (id, registeredBefore, limit) => database.$queryRaw<PastCustomer[]>`
        SELECT id, merchant_id FROM customers
        WHERE id > ${id}::uuid AND created_at < ${registeredBefore} AND erased_at IS NULL ORDER BY id LIMIT ${limit}::int`,
      tell: (customer) => screening.screenPast(customer),
    });
  }
}
