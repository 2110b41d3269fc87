/** What was stored of commands is what decides whether one takes effect. */
import { OWNER } from '../ground/databases';
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

/** Ids of deposits and settlements are derived, and so known before; the answer is one that could be honest. */
export const storesAnAnswerInAdvance = sql(
  'stores under the id of a command that is still to come what the closing of a closed customer is answered',
  {
    login: OWNER,
    database: 'ledger',
    statements: [
      `INSERT INTO command_results (command_id, merchant_id, input_hash, result)
       SELECT gen_random_uuid(), merchant_id, repeat('0', 64), format('{"customer_id":"%s"}', customer_id) FROM closed_customers LIMIT 1`,
    ],
  },
  foundByVerify('sent again it would take no effect'),
);
