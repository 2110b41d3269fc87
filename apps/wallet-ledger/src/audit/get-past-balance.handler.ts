import { Moment, parseMoment } from '@stablecoin/contracts/wallet/as-of';
import { GetPastBalance, PastBalanceView, getPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { pastBalance } from '@stablecoin/ledger-store/history';
import { Handles } from '@stablecoin/messaging/handles';
import { Money } from '@stablecoin/money/money';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from './audit-work';

/** Every event that is committed, whatever a clock says. */
export const LATEST: Moment = { time: 'infinity' };

@Handles(getPastBalance)
export class GetPastBalanceHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: GetPastBalance): Promise<PastBalanceView> {
    return this.work.run(() => asRefusal(() => this.balance(request)));
  }

  private async balance({ wallet_id, merchant_id, as_of }: GetPastBalance): Promise<PastBalanceView> {
    const asked = as_of ? (parseMoment(as_of) as Moment) : undefined;
    const past = await pastBalance((await this.databases.forReads()).reads, wallet_id, asked ?? LATEST);
    if (past?.origin.merchant_id !== merchant_id) throw new Refusal('not_found');
    const { origin, found } = past;
    if (asked) await this.refuseTheFuture(asked, origin.shard);
    const { currency } = origin;
    if (!found) {
      return { wallet_id, currency, balance: Money.zero(currency).toString(), position: null, recorded_at: null };
    }
    const { balance, position, recorded_at } = found;
    return { wallet_id, currency, balance, position, recorded_at };
  }

  private async refuseTheFuture(moment: Moment, shard: number): Promise<void> {
    const isFuture =
      'time' in moment ? Date.parse(moment.time) > Date.now() : moment.position > (await this.end(shard));
    if (isFuture)
      throw Refusal.ofField('as_of', 'in_the_future', 'must not lie after the newest event, or in the future');
  }

  private async end(shard: number): Promise<number> {
    const [row] = await (
      await this.databases.forReads()
    ).reads.$queryRaw<{ head_position: bigint }[]>`
      SELECT head_position FROM ledger_shards WHERE shard = ${shard}`;
    return Number(row?.head_position ?? 0);
  }
}
