import { MatchesPattern } from '@stablecoin/contracts/wire/fields/text';

export function IsAccountNumber(): PropertyDecorator {
  return MatchesPattern({
    pattern: /^[A-Za-z0-9]{4,34}$/,
    code: 'invalid_account_number',
    message: 'must be 4 to 34 letters and digits',
    example: '0123456789',
  });
}

export function IsBankCode(): PropertyDecorator {
  return MatchesPattern({
    pattern: /^[A-Za-z0-9]{1,11}$/,
    code: 'invalid_bank_code',
    message: 'must be 1 to 11 letters and digits',
    example: '058',
  });
}
