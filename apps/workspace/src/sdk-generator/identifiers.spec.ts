import { camelCase, pascalCase, snakeCase } from './identifiers';

describe('Names of the document in the forms of a language', () => {
  it.each([
    ['payoutMethods', 'payoutMethods', 'PayoutMethods', 'payout_methods'],
    ['wallet_id', 'walletId', 'WalletId', 'wallet_id'],
    ['createToBank', 'createToBank', 'CreateToBank', 'create_to_bank'],
  ])('%s', (name, camel, pascal, snake) => {
    expect([camelCase(name), pascalCase(name), snakeCase(name)]).toEqual([camel, pascal, snake]);
  });
});
