import { daysIn } from '@stablecoin/contracts/wallet/day-range';
import { DailyBalancesView, GetDailyBalances, getDailyBalances } from '@stablecoin/contracts/wallet/get-daily-balances';
import { balancesAtEndOf } from '@stablecoin/ledger-store/wallet-history';
import { Handles } from '@stablecoin/messaging/handles';
import { Money } from '@stablecoin/money/money';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { AuditWork } from '../audit/audit-work';
import { LedgerDatabases } from '../databases/ledger-databases';
import { ownWallet } from './own-wallet';

@Handles(getDailyBalances)
export class GetDailyBalancesHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: GetDailyBalances): Promise<DailyBalancesView> {
    return this.work.run(() => asRefusal(() => this.balances(request)));
  }

  private async balances(request: GetDailyBalances): Promise<DailyBalancesView> {
    const { reads } = await this.databases.forReads();
    const { currency } = await ownWallet(reads, request);
    const today = new Date().toISOString().slice(0, 10);
    const begun = daysIn(request).filter((day) => day <= today);
    const found = await balancesAtEndOf(reads, request.wallet_id, begun);
    const zero = Money.zero(currency).toString();
    return {
      wallet_id: request.wallet_id,
      currency,
      days: found.map(({ day, balance }) => ({ day, balance: balance ?? zero })),
    };
  }
}
