/** What was stored of commands is what decides whether one takes effect. */
import { foundByVerify } from '../judging/expectation';
import { sql } from './lines';

export const storesWhatDidNotHappen = sql(
  'stores a result for a command that is still to come, so that it never takes effect',
  {
    login: 'ledger_app',
    database: 'ledger',
    statements: ({ ada }) => [
      `INSERT INTO command_results (command_id, merchant_id, input_hash, result)
       SELECT gen_random_uuid(), merchant_id, repeat('0', 64), result FROM command_results
       WHERE result::jsonb ->> 'id' = '${ada.depositId}' LIMIT 1`,
    ],
  },
  foundByVerify('no event'),
);
