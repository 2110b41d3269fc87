import { Client, dataOf, fieldErrorsOf } from './client';
import { covers } from './covers';
import { sandboxMerchant } from './merchants';
import { TIMESTAMP, UUID } from './resources';

covers('GET /asset-codes', 'Resource: asset code');

let merchant: Client;

beforeAll(() => {
  merchant = sandboxMerchant();
});

const USDC = ['Erc20', 'Bep20', 'Solana', 'Polygon'];
const USDT = ['Erc20', 'Bep20', 'Solana', 'Trc20', 'Polygon'];
const FIAT = ['USD', 'NGN', 'GBP', 'EUR', 'CAD'];

const assetShape = (code: string, asset_type: string, networks: string[] | null) => ({
  id: UUID,
  asset_type,
  code,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  networks: networks && networks.map((network) => ({ id: UUID, network, created_at: TIMESTAMP })),
});
const stablecoins = [assetShape('USDC', 'STABLECOIN', USDC), assetShape('USDT', 'STABLECOIN', USDT)];
const fiat = FIAT.map((code) => assetShape(code, 'FIAT', null));

describe('GET /asset-codes', () => {
  it('lists all seven, always with the same ids', async () => {
    const { body } = await merchant.get('/asset-codes');
    expect(Object.keys(body)).toEqual(['status', 'data']);
    expect(body.data).toEqual(expect.arrayContaining([...stablecoins, ...fiat]));
    expect(body.data).toHaveLength(7);
    expect(await dataOf(merchant.get('/asset-codes'))).toEqual(body.data);
  });

  it.each([
    ['STABLECOIN', stablecoins],
    ['FIAT', fiat],
  ])('lists those of the type %s', async (type, expected) => {
    const listed = await dataOf(merchant.get<unknown[]>(`/asset-codes?asset_type=${type}`));
    expect(listed).toEqual(expect.arrayContaining(expected));
    expect(listed).toHaveLength(expected.length);
  });

  it('refuses a type that is none', async () => {
    expect(await fieldErrorsOf(merchant.get('/asset-codes?asset_type=fiat'))).toEqual({ asset_type: 'invalid_choice' });
  });
});
