import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { PayOutToBankBody, PayOutToWalletBody } from './payout-requests';

function problemsOf(type: RequestClass<object>, body: object): string[] {
  try {
    validateRequest(type, body);
    return [];
  } catch (error) {
    return ((error as Refusal).fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  }
}

const bank = {
  currency: 'usdt',
  account_number: '0123456789',
  bank_code: '058',
  amount: '10.5',
  recipient_name: 'Ada',
};
const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const wallet = { currency: 'USDT', address, amount: 10.5, network: 'erc20' };

describe('body of POST /payouts/banks', () => {
  it.each([
    [{}, []],
    [{ recipient_currency: 'ngn', recipient_country: 'Nigeria', bank_name: 'GTBank', customer_id: null }, []],
    [{ amount: 10.5 }, ['amount: invalid_amount']],
    [{ amount: '1e3' }, ['amount: invalid_amount']],
    [{ amount: '0.00' }, ['amount: invalid_amount']],
    [{ amount: '1.1234567' }, ['amount: too_many_decimals']],
    [{ currency: 'NGN', amount: '0.00000001' }, ['amount: too_many_decimals']],
    [{ currency: 'ngn', amount: '1.501' }, ['amount: too_many_decimals']],
    [{ currency: 'NGN', amount: '1.50000000' }, []],
    [{ currency: 'ABC', amount: '1.501' }, ['currency: unsupported_currency']],
    [{ recipient_currency: 'USDT' }, ['recipient_currency: unsupported_currency']],
    [{ account_number: '12' }, ['account_number: invalid_account_number']],
    [{ bank_code: undefined, recipient_name: undefined }, ['bank_code: required', 'recipient_name: required']],
    [{ customer_id: 'x' }, ['customer_id: invalid_uuid']],
    [{ dry_run: true }, []],
    [{ dry_run: null }, []],
    [{ dry_run: 'yes' }, ['dry_run: invalid_boolean']],
  ])('%j → %j', (change, problems) => {
    expect(problemsOf(PayOutToBankBody, { ...bank, ...change })).toEqual(problems);
  });
});

describe('body of POST /payouts/wallets', () => {
  it.each([
    [{}, []],
    [{ amount: '10.5', recipient_name: 'Ada' }, []],
    [{ dry_run: false }, []],
    [{ dry_run: 1 }, ['dry_run: invalid_boolean']],
    [{ amount: 0 }, ['amount: invalid_amount']],
    [{ amount: 0.123456789 }, ['amount: invalid_amount']],
    [{ amount: 0.1234567 }, ['amount: too_many_decimals']],
    [{ amount: '0.12345600' }, []],
    [{ network: 'base' }, ['network: unsupported_network']],
    [{ network: undefined }, ['network: required']],
    [{ network: 'trc20' }, ['address: invalid_address']],
    [
      { currency: 'USDC', network: 'trc20', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
      ['network: unsupported_network'],
    ],
    [{ currency: 'NGN' }, ['currency: unsupported_currency']],
    [{ address: address.replace('E', 'e') }, ['address: invalid_address']],
  ])('%j → %j', (change, problems) => {
    expect(problemsOf(PayOutToWalletBody, { ...wallet, ...change })).toEqual(problems);
  });
});
