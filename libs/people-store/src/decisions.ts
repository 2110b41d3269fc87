import { recordAct } from './acts';
import { Passkeys, PasskeyUse } from './passkeys';
import { PeopleDatabase } from './people-database';
import { PeopleSeal } from './people-seal';
import { Session } from './sessions';

export interface ApprovedPayout {
  /** The 10 characters. */
  transaction_id: string;
  approval_hash: string;
  /** Of the command with which the ledger is asked. */
  command_id: string;
  /** When the payout was asked for. */
  created_at: string;
}

export interface RejectedPayout {
  transaction_id: string;
  command_id: string;
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

  /** @returns why nothing was recorded, or 'done' */
  async approve(
    use: PasskeyUse,
    { created_at, ...approved }: ApprovedPayout,
    session: Session,
  ): Promise<'done' | 'not_trusted' | 'joined_later'> {
    const done = await this.passkeys.used(use, async (sql) => {
      // Who may invite could make an approver for each payout.
      const [member] = await sql.$queryRaw<{ joined: boolean }[]>`
        SELECT created_at < ${created_at}::timestamptz AS joined FROM members WHERE id = ${session.member_id}::uuid`;
      if (member?.joined !== true) return 'joined_later';
      await recordAct(
        sql,
        { action: 'payout-approved', details: { ...approved, passkey_id: use.passkey.id } },
        session,
      );
      return 'done';
    });
    return done ?? 'not_trusted';
  }

  async reject({ reason, ...rejected }: RejectedPayout, session: Session): Promise<void> {
    const sealed_reason = this.seal.seal(session.person_id, 'reason', reason);
    const details = { ...rejected, sealed_reason };
    await recordAct(this.database.sql, { action: 'payout-rejected', details }, session);
  }
}
