import { AssetCodeView } from '@stablecoin/contracts/wallet/list-asset-codes';
import { NETWORKS } from '@stablecoin/money/currency';
import {
  currency,
  listOf,
  nullable,
  oneOf,
  ResponseOf,
  resource,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

const ASSET_NETWORK = resource('AssetNetwork', {
  id: uuid,
  network: oneOf(NETWORKS.map(capitalised)),
  created_at: timestamp,
});

export const ASSET_CODE = resource('AssetCode', {
  id: uuid,
  asset_type: oneOf(['FIAT', 'STABLECOIN']),
  code: currency,
  created_at: timestamp,
  updated_at: timestamp,
  networks: nullable(listOf(ASSET_NETWORK)),
});

export function presentAssetCode(view: AssetCodeView): ResponseOf<typeof ASSET_CODE> {
  return {
    id: view.id,
    asset_type: view.asset_type,
    code: view.code,
    created_at: view.created_at,
    updated_at: view.updated_at,
    networks:
      view.networks?.map(({ id, network, created_at }) => ({ id, network: capitalised(network), created_at })) ?? null,
  };
}

/** Networks read `Erc20` here, in lower case everywhere else. */
function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
