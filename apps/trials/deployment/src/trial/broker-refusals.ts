// Checks that the broker refuses a user everything that its program does not need. It speaks the protocol itself, so
// that no client library is in between.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { brokerAnswer } from '@stablecoin/testing/broker-protocol';

/** A user, what it tries, and the expected refusal. */
type Attempt = [user: string, attempt: string, due: string];

const ATTEMPTS: Attempt[] = [
  ['swap-pricing', 'PUB wallet.hold-payout.0 _INBOX_swap-pricing.x 0\r\n\r\n', 'Publish to "wallet.hold-payout.0"'],
  [
    'swap-pricing',
    'PUB customer.resolve-api-key _INBOX_swap-pricing.x 0\r\n\r\n',
    'Publish to "customer.resolve-api-key"',
  ],
  ['payout', 'PUB ledger.0.payout-completed 0\r\n\r\n', 'Publish to "ledger.0.payout-completed"'],
  ['payout', 'PUB $JS.API.STREAM.DELETE.LEDGER _INBOX_payout.x 0\r\n\r\n', 'Publish to "$JS.API.STREAM.DELETE.LEDGER"'],
  [
    'payout',
    'PUB $JS.API.CONSUMER.MSG.NEXT.LEDGER.customer _INBOX_payout.x 0\r\n\r\n',
    'Publish to "$JS.API.CONSUMER.MSG',
  ],
  ['gateway', 'SUB wallet.hold-payout.* 1\r\n', 'Subscription to "wallet.hold-payout.*"'],
  ['gateway', 'PUB customer.api-key-changed 0\r\n\r\n', 'Publish to "customer.api-key-changed"'],
  ['payout', 'SUB customer.api-key-changed 1\r\n', 'Subscription to "customer.api-key-changed"'],
  ['gateway', 'SUB ledger.> 1\r\n', 'Subscription to "ledger.>"'],
  ['customer', 'SUB _INBOX_gateway.> 1\r\n', 'Subscription to "_INBOX_gateway.>"'],
  ['customer', 'SUB _INBOX.> 1\r\n', 'Subscription to "_INBOX.>"'],
  ['customer', 'SUB > 1\r\n', 'Subscription to ">"'],
  // Only the chain service may have something signed, and it may have nothing else.
  ['payout', 'PUB signer.sign-transfer _INBOX_payout.x 0\r\n\r\n', 'Publish to "signer.sign-transfer"'],
  ['wallet-ledger', 'PUB signer.describe _INBOX_wallet-ledger.x 0\r\n\r\n', 'Publish to "signer.describe"'],
  ['chain', 'SUB signer.> 1\r\n', 'Subscription to "signer.>"'],
  ['signer', 'PUB wallet.record-deposit.0 _INBOX_signer.x 0\r\n\r\n', 'Publish to "wallet.record-deposit.0"'],
  // The operator's commands ask the chain service, for what operators decide.
  ['operator', 'PUB signer.sign-transfer _INBOX_operator.x 0\r\n\r\n', 'Publish to "signer.sign-transfer"'],
  ['operator', 'PUB chain.submit-transfer _INBOX_operator.x 0\r\n\r\n', 'Publish to "chain.submit-transfer"'],
  // It asks for what people sign, and for nothing that they don't.
  ['backoffice', 'PUB wallet.post-swap.0 _INBOX_backoffice.x 0\r\n\r\n', 'Publish to "wallet.post-swap.0"'],
  ['auditor', 'PUB wallet.get-wallet _INBOX_auditor.x 0\r\n\r\n', 'Publish to "wallet.get-wallet"'],
];

/**
 * Resolves to the number of refused attempts; throws for one that wasn't. `urlOf` gives a user's connection string.
 */
export async function requireRefusals(urlOf: (user: string) => string): Promise<number> {
  for (const [user, attempt, due] of ATTEMPTS) {
    const answer = await brokerAnswer(new URL(urlOf(user)), attempt);
    if (!answer.includes(`Permissions Violation for ${due}`))
      throw new OperatorError(
        `The broker lets ${user} say "${attempt.trim()}"; it answered ${JSON.stringify(answer)}.`,
      );
  }
  const withWrongPassword = new URL(urlOf('gateway'));
  withWrongPassword.password = 'wrong';
  if (!(await brokerAnswer(withWrongPassword, '')).includes('Authorization Violation'))
    throw new OperatorError('The broker lets a user in that has a wrong password.');
  return ATTEMPTS.length + 1;
}
