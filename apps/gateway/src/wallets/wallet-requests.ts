import { OmitType } from '@nestjs/mapped-types';
import { ListWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { OpenWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';
import { Network } from '@stablecoin/money/currency';
import { IsNetworkOfCurrency } from './network-of-currency';

export class OpenWalletBody extends OmitType(OpenWallet, [...INJECTED_FIELDS, 'network']) {
  @IsNetworkOfCurrency({ unlessFiat: true }) network?: Network;
}

export class ListWalletsQuery extends OmitType(ListWallets, ['merchant_id']) {}
