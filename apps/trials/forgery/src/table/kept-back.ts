/** What an operator has stated, and the ledger has not: the log alone shows nothing of it, the record of operators' acts does. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { foundByVerify } from '../judging/expectation';
import type { Database } from '../ground/databases';
import { does, verified } from './lines';

/** As the operators' program records it, whose command has no answer. */
async function recordStated(customer: Database, merchant_id: string): Promise<void> {
  const database = new CustomerDatabase({ url: customer.url('customer_app'), poolSize: 1 });
  const command_id = randomUUID();
  const by = { actor: 'alice', reason: 'case 9' };
  const details = { policy: {}, policy_version: 1, stated_at: new Date().toISOString(), command_id };
  try {
    await recordActBefore(database, { action: 'policies set', merchant_id, details }, by);
    await recordActBefore(database, { action: 'policies set unanswered', merchant_id, details: { command_id } }, by);
  } finally {
    await database.$disconnect();
  }
}

export const keepsAPolicyBack = (what: string) =>
  does(
    what,
    'at rest',
    foundByVerify('is not in the log: it was kept back', "with --acts, the record of operators' acts"),
    async (site) => {
      const customer = await site.copies.of('customer');
      customer.isForged = true;
      await recordStated(customer, site.people.mallory.merchantId);
      const { stdout } = await site.operator.answerTo(['log', '--export'], {
        CUSTOMER_DATABASE_URL: customer.url('customer_app'),
      });
      const folder = mkdtempSync(join(tmpdir(), 'acts-'));
      try {
        writeFileSync(join(folder, 'acts.jsonl'), stdout);
        return await verified(site, await site.copies.of('ledger'), ['--acts', join(folder, 'acts.jsonl')]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
