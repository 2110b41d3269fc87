import { OmitType } from '@nestjs/mapped-types';
import { ListWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { OpenWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';

export class OpenWalletBody extends OmitType(OpenWallet, INJECTED_FIELDS) {}

export class ListWalletsQuery extends OmitType(ListWallets, ['merchant_id']) {}
