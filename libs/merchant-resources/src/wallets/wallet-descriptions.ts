import { Injectable } from '@nestjs/common';
import { WALLET_DESCRIPTION_FIELD, WalletView } from '@stablecoin/contracts/wallet/views';
import { FreeTexts } from '../owners/free-texts';
import { OwnerCommand, Owners } from '../owners/owners';

/** Descriptions of wallets: sealed for the wallet's owner before the ledger gets them, and opened to be shown. */
@Injectable()
export class WalletDescriptions {
  constructor(
    private readonly owners: Owners,
    private readonly freeTexts: FreeTexts,
  ) {}

  /** Objects to the command when the owner is closed; the merchant itself is looked up only for its key. */
  async seal(
    command: OwnerCommand,
    { customer_id, description }: { customer_id?: string | null; description?: string | null },
  ): Promise<string | null> {
    const { merchant_id } = command.ids;
    if (!customer_id && !description) return null;
    const owner = await this.owners.findOpen(command, customer_id);
    return description ? this.freeTexts.seal(merchant_id, owner, WALLET_DESCRIPTION_FIELD, description) : null;
  }

  /** Wallets of one merchant, at most a page of them. */
  async openAll(wallets: readonly WalletView[]): Promise<WalletView[]> {
    const [first] = wallets;
    if (!first) return [];
    const texts = wallets.map(({ customer_id, description: text }) => ({
      ...{ customer_id, text },
      field: WALLET_DESCRIPTION_FIELD,
    }));
    const opened = await this.freeTexts.open(first.merchant_id, texts);
    return wallets.map((wallet, index) => ({ ...wallet, description: opened[index] ?? null }));
  }

  async open(wallet: WalletView): Promise<WalletView> {
    const [opened = wallet] = await this.openAll([wallet]);
    return opened;
  }
}
