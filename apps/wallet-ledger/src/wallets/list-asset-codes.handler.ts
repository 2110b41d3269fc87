import { Handles } from '@stablecoin/messaging/handles';
import { assetTypeOf, CURRENCIES, Currency, networksOf } from '@stablecoin/money/currency';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { AssetCodeView, ListAssetCodes, listAssetCodes } from '@stablecoin/contracts/wallet/list-asset-codes';

/** When the list of assets last changed. */
const LISTED_AT = '2026-11-21T00:00:00.000Z';

/** The assets are part of the code, and so are their ids: derived from their names, the same everywhere and always. */
const ASSET_CODES: readonly AssetCodeView[] = (Object.keys(CURRENCIES) as Currency[]).map((code) => ({
  id: derivedUuid('asset-code', code),
  asset_type: assetTypeOf(code),
  code,
  created_at: LISTED_AT,
  updated_at: LISTED_AT,
  networks:
    assetTypeOf(code) === 'FIAT'
      ? null
      : networksOf(code).map((network) => ({
          id: derivedUuid('asset-code', code, network),
          network,
          created_at: LISTED_AT,
        })),
}));

@Handles(listAssetCodes)
export class ListAssetCodesHandler {
  execute(request: ListAssetCodes): Promise<AssetCodeView[]> {
    const { asset_type } = request;
    return Promise.resolve(ASSET_CODES.filter((asset) => !asset_type || asset.asset_type === asset_type));
  }
}
