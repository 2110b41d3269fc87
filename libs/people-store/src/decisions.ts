import { recordAct } from './acts';
import { Passkeys, PasskeyUse } from './passkeys';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { Session } from './sessions';

export interface ApprovedPayout {
  /** The 10 characters. */
  transaction_id: string;
  approval_hash: string;
}

export interface RejectedPayout {
  transaction_id: string;
  reason: string;
}

/**
 * What people decide of payouts that wait. It is on the record before the ledger is asked: the act says what a person did, and the
 * ledger's log what came of it.
 */
export class Decisions {
  constructor(
    private readonly database: PeopleDatabase,
    private readonly seal: PeopleSeal,
    private readonly passkeys: Passkeys,
  ) {}

  /** False where the passkey is not to be trusted. */
  async approve(use: PasskeyUse, approved: ApprovedPayout, session: Session): Promise<boolean> {
    const done = await this.passkeys.used(use, async (sql) => {
      await recordAct(
        sql,
        { action: 'payout-approved', details: { ...approved, passkey_id: use.passkey.id } },
        session,
      );
      return true;
    });
    return done ?? false;
  }

  async reject({ transaction_id, reason }: RejectedPayout, session: Session): Promise<void> {
    const sealed_reason = this.seal.seal(session.person_id, 'reason', reason);
    const details = { transaction_id, sealed_reason };
    await recordAct(this.database.sql, { action: 'payout-rejected', details }, session);
  }
}
