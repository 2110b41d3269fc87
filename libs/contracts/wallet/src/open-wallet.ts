import { assetTypeOf, Currency, Network } from '@stablecoin/money/currency';
import { IsCurrencyCode, IsNetworkOfCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { WalletView } from './views';

/** Opens a wallet, or adds a deposit address on a further network to the one that exists. */
export class OpenWallet extends MerchantCommand {
  @IsCurrencyCode() currency: Currency;
  @Optional() @IsUuid() customer_id?: string | null;
  @IsNetworkOfCurrency({ neededIf: ({ currency }: OpenWallet) => assetTypeOf(currency) === 'STABLECOIN' })
  network?: Network;
  /** Sealed by the gateway; in clear where that is of a version before. */
  @Optional() @IsText({ max: 4096 }) description?: string | null;
}

export const openWallet = operation({
  subject: 'wallet.open-wallet',
  answeredBy: 'shard',
  callers: ['gateway'],
  request: OpenWallet,
  reply: replies<CommandReply<WalletView>>(),
  errors: ['wallet_exists', 'customer_closed', 'idempotency_key_reused', 'idempotency_in_flight'],
});
