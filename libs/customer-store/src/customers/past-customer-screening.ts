import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Clock } from '../clock';
import { CustomerDatabase } from '../customer-database';
import { PersonalData } from '../personal-data';
import { putBackToReview, screenCustomer } from '../screening/customer-screening';
import { namesToScreen } from './customer-profile';
import { lockCustomer, openCustomer } from './customer-record';

/** Customers from before there was a screening of them. */
export class PastCustomerScreening {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
  ) {}

  screenPast({ id, merchant_id }: { id: string; merchant_id: string }): Promise<void> {
    return this.database.$transaction(async (sql) => {
      const row = await lockCustomer(sql, merchant_id, id).catch((error: unknown) => {
        // It was erased meanwhile: there is no name any more.
        if (error instanceof Refusal && error.code === 'not_found') return undefined;
        throw error;
      });
      if (!row) return;
      const { seal, profile } = await openCustomer(row, this.personalData);
      const now = this.clock.now();
      const toScreen = { id, merchant_id, names: namesToScreen(profile), seal };
      if (await screenCustomer(sql, toScreen, { openedBy: 'list', now })) await putBackToReview(sql, id, now);
    }, TRANSACTION_LIMITS);
  }
}
