import { OmitType } from '@nestjs/mapped-types';
import { ListWallets } from '@stablecoin/contracts/wallet/list-wallets';

export class ListWalletsQuery extends OmitType(ListWallets, ['merchant_id']) {}
