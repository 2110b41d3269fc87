import { AssetCodeView } from '@stablecoin/contracts/wallet/list-asset-codes';

export function presentAssetCode(view: AssetCodeView) {
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
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
