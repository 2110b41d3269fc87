/**
 * The merchant that pays out in a run: a live one, because its money is on the chain, with a wallet of each currency that is
 * paid for over the chain before the first schedule. So whatever leaves the hot wallet has come in before.
 */
import { TOKEN_CURRENCIES, type TokenCurrency } from '@stablecoin/chains/tokens';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { PAYOUT_DESTINATION_FIELD, type PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { Money } from '@stablecoin/money/money';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { BLOCKS_UNTIL_FINAL } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { createMerchant } from '@stablecoin/testing/operator-command';
import type { Ground } from '../ground/ground';
import { readBalances } from '../oracle/books';
import type { TrialWallet } from '../oracle/deposits';
import { openWallets } from './accounts';

/** Whole ones of each currency: more than the payouts of the longest run come to. */
const FUNDS = 900_000;
const TIMEOUT_MS = 30_000;

export class PayingMerchant {
  private readonly due: Map<TokenCurrency, Money>;

  private constructor(
    readonly id: string,
    readonly wallets: readonly TrialWallet[],
    private readonly seal: OwnerSeal,
  ) {
    this.due = new Map(TOKEN_CURRENCIES.map((currency) => [currency, Money.parse(currency, String(FUNDS))]));
  }

  /** @param ground where no schedule has begun */
  static async open(ground: Ground): Promise<PayingMerchant> {
    const { bus, databases, chain, payers, commandLine, personalDataKey } = ground;
    const { merchant_id: id } = await createMerchant('Trial', commandLine, ['--live']);
    const { owner_id, wrapped_data_key } = await bus.call(findOwner, { merchant_id: id });
    const seal = OwnerSeal.unwrap(new MasterKeys(personalDataKey), owner_id, wrapped_data_key);
    const terms = TOKEN_CURRENCIES.map((currency) => ({ merchant_id: id, currency }));
    const wallets = await openWallets(ground, terms);
    const merchant = new PayingMerchant(id, wallets, seal);
    for (const { currency, address } of wallets) {
      const units = BigInt(FUNDS) * 10n ** BigInt(chain.token(currency).decimals);
      await payers.pay(payers.transfer(currency, address as `0x${string}`, units));
    }
    // So far below the head that no schedule replaces it.
    await chain.mine(3 * BLOCKS_UNTIL_FINAL);
    const isFunded = async () => {
      const balances = await readBalances(databases, wallets);
      return [...merchant.balancesDue()].every(([wallet, due]) => balances.get(wallet) === due.toString());
    };
    await eventually('the deposits of the paying merchant are credited', isFunded, { timeoutMs: TIMEOUT_MS });
    return merchant;
  }

  /** @returns the payout's destination, which the ledger can't read */
  sealed(address: string): string {
    const destination: PayoutDestination = { kind: 'wallet', address, recipient_name: null };
    return this.seal.seal(PAYOUT_DESTINATION_FIELD, destination);
  }

  /** These have completed: their money is not there any more. */
  hasPaid(payouts: readonly Money[]): void {
    for (const amount of payouts) {
      const currency = amount.currency as TokenCurrency;
      this.due.set(currency, (this.due.get(currency) ?? Money.zero(currency)).minus(amount));
    }
  }

  /** What its wallets have when nothing is under way, by their ids: what came in, less the payouts that completed. */
  balancesDue(): Map<string, Money> {
    return new Map(this.wallets.map(({ id, currency }) => [id, this.due.get(currency) ?? Money.zero(currency)]));
  }
}
