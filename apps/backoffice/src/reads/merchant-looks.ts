import { Injectable } from '@nestjs/common';
import { Acts } from '@stablecoin/people-store/acts';
import { Session } from '@stablecoin/people-store/sessions';

const REMEMBERED_MAX = 10_000;

/**
 * That one of the operator's people looks at a merchant is on the record once for each session and merchant. What was recorded is
 * remembered here: another instance, or this one after a restart, records it again, and none leaves it out.
 */
@Injectable()
export class MerchantLooks {
  private readonly recorded = new Set<string>();

  constructor(private readonly acts: Acts) {}

  async record(merchant_id: string, session: Session): Promise<void> {
    const look = `${session.session_id} ${merchant_id}`;
    if (this.recorded.has(look)) return;
    const { session_id } = session;
    await this.acts.record({ action: 'merchant-looked-at', details: { merchant_id, session_id } }, session);
    if (this.recorded.size >= REMEMBERED_MAX) this.recorded.clear();
    this.recorded.add(look);
  }
}
