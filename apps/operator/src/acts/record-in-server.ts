import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { Act, ActedBy, recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { withDatabase } from '../operator-database';

/**
 * Records an act on a whole server, such as a backup, in the server's own customer database, where that is new enough to
 * have the log.
 *
 * @param url of any database of the server
 * @returns whether it is on the record
 */
export async function recordInServer(url: string, act: Act, by: ActedBy): Promise<boolean> {
  const ofCustomer = new URL(url);
  ofCustomer.pathname = '/customer';
  return withDatabase(ofCustomer.href, async (database) => {
    const hasLog = await knowsLog(database);
    if (hasLog) await recordActBefore(database, act, by);
    return hasLog;
  });
}

async function knowsLog(database: CustomerDatabase): Promise<boolean> {
  const [row] = await database.$queryRaw<{ known: boolean }[]>`
    SELECT to_regclass('operator_acts') IS NOT NULL AS known`;
  return row?.known === true;
}
