/** The owner of the tables makes a login that outlives the change of his password, as deployments make some of their own. */
import { type Database, OWNER } from '../ground/databases';
import { foundByVerify } from '../judging/expectation';
import type { Forgery } from './forgery';
import { does, verified } from './lines';

const LOGIN = 'of_his_own';

/** @param role of which it is a member */
const makesALogin = (what: string, names: string, role: (copy: Database) => Promise<string>): Forgery =>
  does(what, 'at rest', foundByVerify(names, 'with --logins, or AUDIT_LOGINS'), async (site) => {
    const copy = await site.copies.of('ledger');
    const owner = await ownerOf(copy);
    await copy.as(OWNER, [`CREATE ROLE ${LOGIN} LOGIN`, `GRANT ${await role(copy)} TO ${LOGIN}`]);
    try {
      return await verified(site, copy, ['--logins', owner]);
    } finally {
      // A role is of the server, and not of the copy, which is as it was.
      await copy.as(OWNER, [`DROP ROLE ${LOGIN}`]);
    }
  });

async function ownerOf(copy: Database): Promise<string> {
  const [row] = await copy.rows<{ name: string }>('SELECT current_user AS name');
  if (!row) throw new Error('who owns the tables is not to be seen');
  return row.name;
}

export const makesALoginThatAppends = makesALogin(
  'makes a login of his own that may append to the log',
  `login ${LOGIN}: it is a member of ledger_app`,
  () => Promise.resolve('ledger_app'),
);

export const makesALoginLikeHis = makesALogin(
  'makes a login of his own that may do all that he may',
  "so it may change the ledger's tables as their owner",
  async (copy) => `"${await ownerOf(copy)}"`,
);
