import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { OpenWalletBody } from './wallet-requests';

function problemsOf(body: unknown): string[] {
  try {
    validateRequest(OpenWalletBody, body);
    return [];
  } catch (error) {
    return ((error as Refusal).fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  }
}

describe('body of POST /wallets', () => {
  it.each([
    [{ currency: 'USDT', network: 'trc20' }, []],
    [{ currency: 'USDC', network: 'trc20' }, ['network: unsupported_network']],
    [{ currency: 'USDC' }, ['network: required']],
    [{ currency: 'USDC', network: null }, ['network: required']],
    [{ currency: 'USDC', network: 'ERC20' }, ['network: unsupported_network']],
    [{ currency: 'NGN' }, []],
    [{ currency: 'NGN', network: null, description: null, customer_id: null }, []],
    [{ currency: 'NGN', description: '' }, []],
    [{ currency: 'NGN', description: 'x'.repeat(256) }, ['description: invalid_text']],
    [{ currency: 'NGN', network: 'erc20' }, ['network: unsupported_network']],
    [{ currency: 'ngn', network: 'x' }, ['currency: unsupported_currency', 'network: unsupported_network']],
    [{}, ['currency: required']],
    [{ currency: 'NGN', merchant_id: '5b7e2f0e-1111-4222-8333-444455556666' }, ['merchant_id: unknown_field']],
    [JSON.parse('{"currency":"NGN","__proto__":{}}'), ['__proto__: unknown_field']],
  ])('%j → %j', (body, problems) => {
    expect(problemsOf(body)).toEqual(problems);
  });
});
