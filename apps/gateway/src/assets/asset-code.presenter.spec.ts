import { presentAssetCode } from './asset-code.presenter';

const at = '2026-01-02T03:04:05.678Z';

describe('presentAssetCode', () => {
  it('capitalises networks', () => {
    const networks = [{ id: 'n1', network: 'erc20' as const, created_at: at }];
    const view = {
      id: '1',
      asset_type: 'STABLECOIN' as const,
      code: 'USDT' as const,
      created_at: at,
      updated_at: at,
      networks,
    };
    expect(presentAssetCode(view)).toEqual({ ...view, networks: [{ id: 'n1', network: 'Erc20', created_at: at }] });
  });

  it('prints null for fiat', () => {
    const view = {
      id: '1',
      asset_type: 'FIAT' as const,
      code: 'NGN' as const,
      created_at: at,
      updated_at: at,
      networks: null,
    };
    expect(presentAssetCode(view)).toEqual(view);
  });
});
