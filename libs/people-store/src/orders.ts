import { Act, recordAct } from './acts';
import { Passkeys, PasskeyUse } from './passkeys';
import { Session } from './sessions';

/** What people order by their passkeys. It is on the record before another service is asked. */
export class Orders {
  constructor(private readonly passkeys: Passkeys) {}

  /** False where the passkey is not to be trusted: then nothing was ordered. */
  async record(use: PasskeyUse, { action, details }: Act, session: Session): Promise<boolean> {
    const act: Act = { action, details: { ...details, passkey_id: use.passkey.id } };
    const done = await this.passkeys.used(use, async (sql) => {
      await recordAct(sql, act, session);
      return true;
    });
    return done ?? false;
  }
}
