import { FieldError } from '@stablecoin/contracts/wire/error-codes';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { OpenWalletBody } from './wallet-requests';

function fieldErrorsOf(body: unknown): readonly FieldError[] {
  try {
    validateRequest(OpenWalletBody, body);
    return [];
  } catch (error) {
    return (error as Refusal).fields ?? [];
  }
}

const problemsOf = (body: unknown) => fieldErrorsOf(body).map(({ field, code }) => `${field}: ${code}`);

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

  it.each([
    [{ currency: 'USDC', network: 'trc20' }, 'must be a network of USDC: erc20, bep20, solana, polygon'],
    [{ currency: 'NGN', network: 'erc20' }, 'must be left out: NGN has no networks'],
    [{ currency: 'BTC', network: 'x' }, 'must be one of erc20, bep20, solana, trc20, polygon'],
  ])('names the networks that the currency of %j has', (body, sentence) => {
    expect(fieldErrorsOf(body).find(({ code }) => code === 'unsupported_network')?.message).toBe(sentence);
  });
});
