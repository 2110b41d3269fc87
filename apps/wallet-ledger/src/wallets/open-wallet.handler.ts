import { OpenWallet, openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { DepositAddressBook } from '../deposit-addresses/deposit-address-book';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { walletView } from './wallet-view';

@Handles(openWallet)
export class OpenWalletHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly addresses: DepositAddressBook,
  ) {}

  async execute(request: OpenWallet): Promise<CommandReply<WalletView>> {
    const { merchant_id, customer_id = null, currency, network = null, description = null } = request;
    const command = {
      kind: 'OpenWallet',
      wallet_id: timeOrderedId(),
      address_id: timeOrderedId(),
      address_index: await this.addresses.drawIndex(),
      merchant_id,
      customer_id,
      currency,
      network,
      description,
    } as const;
    return this.shards.writer().submit({
      request,
      command,
      result: (ledger) => {
        const wallet = ledger.walletOf(command, currency);
        if (!wallet) throw new Error('the wallet is not where it was just opened');
        return walletView(wallet, ledger.account(wallet.id, currency));
      },
    });
  }
}
