import { AssetType, Currency, Network } from '@stablecoin/money/currency';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Timestamp } from './views';

export class ListAssetCodes {
  @Optional() @IsOneOf(['FIAT', 'STABLECOIN']) asset_type?: AssetType;
}

export interface AssetCodeView {
  id: string;
  asset_type: AssetType;
  code: Currency;
  created_at: Timestamp;
  updated_at: Timestamp;
  networks: { id: string; network: Network; created_at: Timestamp }[] | null;
}

export const listAssetCodes = operation({
  subject: 'wallet.list-asset-codes',
  readOnly: true,
  request: ListAssetCodes,
  reply: replies<AssetCodeView[]>(),
  errors: [],
});
