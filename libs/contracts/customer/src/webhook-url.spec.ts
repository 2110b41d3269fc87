import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { CreateWebhook } from './create-webhook';

const IDS = {
  merchant_id: '5b7e2f0e-1111-4222-8333-444455556666',
  command_id: '5b7e2f0e-1111-4222-8333-444455556667',
  input_hash: 'a'.repeat(64),
  key_mode: 'test',
};

function problemsOf(body: object): string[] {
  try {
    validateRequest(CreateWebhook, { ...IDS, ...body });
    return [];
  } catch (error) {
    return ((error as Refusal).fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  }
}

describe('the fields of a webhook', () => {
  it.each([
    'https://merchant.example/hooks?shop=1',
    'https://merchant.example:8443',
    'https://[2600::1]/hooks',
    'http://127.0.0.1:4000/hooks',
    'http://localhost:4000',
    'http://[::1]:4000',
    'https://localhost/',
    // One of many spellings of this machine's address: the parsed URL decides.
    'http://0x7f000001/',
  ])('takes %s', (url) => {
    expect(problemsOf({ url })).toEqual([]);
  });

  it.each([
    'http://merchant.example/hooks',
    'http://10.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost.example/',
    'https://merchant',
    'https://user:pass@merchant.example/',
    'https://merchant.example/#part',
    'ftp://merchant.example/',
    'merchant.example',
    `https://merchant.example/${'a'.repeat(2048)}`,
  ])('refuses %s', (url) => {
    expect(problemsOf({ url })).toEqual(['url: invalid_url']);
  });

  it.each<[unknown, string[]]>([
    [['payout.completed', 'deposit.completed'], []],
    [null, []],
    [[], ['events: invalid_choice']],
    [['payout.completed', 'payout.completed'], ['events: invalid_choice']],
    [['payout.pending'], ['events: invalid_choice']],
    [['webhook.test'], ['events: invalid_choice']],
    ['payout.completed', ['events: invalid_choice']],
    [[['payout.completed']], ['events: invalid_choice']],
  ])('events %j → %j', (events, problems) => {
    expect(problemsOf({ url: 'https://merchant.example/', events })).toEqual(problems);
  });
});
