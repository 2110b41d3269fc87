import { OpenWallet, openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { OpenWallet as OpenWalletCommand } from '@stablecoin/ledger-domain/commands';
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
    const command: OpenWalletCommand = {
      kind: 'OpenWallet',
      wallet_id: timeOrderedId(),
      address_id: timeOrderedId(),
      address_index: await this.addresses.drawIndex(),
      merchant_id,
      customer_id,
      currency,
      network,
      description,
    };
    try {
      const reply = await this.submit(request, command);
      // Another wallet's id: the network was added to that one, or the command took effect before.
      if (reply.result.id !== command.wallet_id) this.addresses.returnIndex(command.address_index);
      return reply;
    } catch (error) {
      if (certainlyDidNothing(error)) this.addresses.returnIndex(command.address_index);
      throw error;
    }
  }

  private submit(request: OpenWallet, command: OpenWalletCommand): Promise<CommandReply<WalletView>> {
    return this.shards.writer().submit({
      request,
      command,
      result: (ledger) => {
        const wallet = ledger.walletOf(command, command.currency);
        if (!wallet) throw new Error('the wallet is not where it was just opened');
        return walletView(wallet, ledger.account(wallet.id, command.currency));
      },
    });
  }
}

const certainlyDidNothing = (error: unknown): boolean =>
  error instanceof Refusal && (error.code !== 'unavailable' || error.notExecuted);
