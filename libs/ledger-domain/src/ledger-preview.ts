import { Currency } from '@stablecoin/money/currency';
import { AccountId } from './accounts';
import { Owner } from './commands';
import { Account, PolicyInForce, Transaction, Wallet } from './entities';
import { LedgerState, LedgerView } from './ledger-state';
import { PayoutUsage, UsageName } from './payout-usage';

/**
 * The ledger as it would be after events that are not recorded: they are folded in here, by the same folds, and the ledger
 * below stays as it is. For dry runs.
 */
export class LedgerPreview extends LedgerState {
  constructor(private readonly below: LedgerView) {
    super();
  }

  override wallet(id: string): Wallet | undefined {
    return super.wallet(id) ?? this.below.wallet(id);
  }

  override walletOf(owner: Owner, currency: Currency): Wallet | undefined {
    return super.walletOf(owner, currency) ?? this.below.walletOf(owner, currency);
  }

  override walletsOf(owner: Owner): Wallet[] {
    const changed = super.walletsOf(owner);
    return [...this.below.walletsOf(owner).filter(({ id }) => !this.wallets.has(id)), ...changed];
  }

  override transaction(reference: string): Transaction | undefined {
    return super.transaction(reference) ?? this.below.transaction(reference);
  }

  override account(id: AccountId, currency: Currency): Account {
    return this.accounts.get(id) ?? this.below.account(id, currency);
  }

  override isClosed(owner: Owner): boolean {
    return super.isClosed(owner) || this.below.isClosed(owner);
  }

  override closedBy(customerId: string): string | undefined {
    return super.closedBy(customerId) ?? this.below.closedBy(customerId);
  }

  override policy(merchantId: string): PolicyInForce | undefined {
    return super.policy(merchantId) ?? this.below.policy(merchantId);
  }

  override payoutUsage(name: UsageName): PayoutUsage {
    return this.payoutUsages.get(name.key) ?? this.below.payoutUsage(name);
  }
}
