// That the broker refuses what a user has no business with, asked in the protocol itself, so that no client library
// stands in between.

import { connect } from 'node:net';
import { Refusal } from '../stack/terminal.mjs';

const TIMEOUT_MS = 5_000;

/** Each a user, what it tries, and the refusal that is due. */
const ATTEMPTS = [
  ['swap-pricing', 'PUB wallet.hold-payout.0 _INBOX_swap-pricing.x 0\r\n\r\n', 'Publish to "wallet.hold-payout.0"'],
  ['swap-pricing', 'PUB customer.resolve-api-key _INBOX_swap-pricing.x 0\r\n\r\n', 'Publish to "customer.resolve-api-key"'],
  ['payout', 'PUB ledger.0.payout-completed 0\r\n\r\n', 'Publish to "ledger.0.payout-completed"'],
  ['payout', 'PUB $JS.API.STREAM.DELETE.LEDGER _INBOX_payout.x 0\r\n\r\n', 'Publish to "$JS.API.STREAM.DELETE.LEDGER"'],
  ['payout', 'PUB $JS.API.CONSUMER.MSG.NEXT.LEDGER.customer _INBOX_payout.x 0\r\n\r\n', 'Publish to "$JS.API.CONSUMER.MSG'],
  ['gateway', 'SUB wallet.hold-payout.* 1\r\n', 'Subscription to "wallet.hold-payout.*"'],
  ['gateway', 'SUB ledger.> 1\r\n', 'Subscription to "ledger.>"'],
  ['customer', 'SUB _INBOX_gateway.> 1\r\n', 'Subscription to "_INBOX_gateway.>"'],
  ['customer', 'SUB _INBOX.> 1\r\n', 'Subscription to "_INBOX.>"'],
  ['customer', 'SUB > 1\r\n', 'Subscription to ">"'],
  ['auditor', 'PUB wallet.get-wallet _INBOX_auditor.x 0\r\n\r\n', 'Publish to "wallet.get-wallet"'],
];

/** Resolves to how many attempts were refused; throws with the first that wasn't. `urlOf(user)` is its connection string. */
export async function requireWalls(urlOf) {
  for (const [user, attempt, due] of ATTEMPTS) {
    const answer = await say(new URL(urlOf(user)), attempt);
    if (!answer.includes(`Permissions Violation for ${due}`))
      throw new Refusal(`The broker lets ${user} say "${attempt.trim()}"; it answered ${JSON.stringify(answer)}.`);
  }
  const stranger = new URL(urlOf('gateway'));
  stranger.password = 'wrong';
  if (!(await say(stranger, '')).includes('Authorization Violation'))
    throw new Refusal('The broker lets in who has a wrong password.');
  return ATTEMPTS.length + 1;
}

/** Everything that the broker answers up to its PONG, or until it closes the connection. */
function say({ hostname, port, username, password }, text) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let heard = '';
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the broker does not answer')));
    const options = { user: username, pass: password, verbose: false, protocol: 1, lang: 'check', version: '1' };
    socket.once('data', () => socket.write(`CONNECT ${JSON.stringify(options)}\r\n${text}PING\r\n`));
    socket.on('data', (chunk) => {
      heard += chunk;
      if (/PONG\r\n/.test(heard)) socket.end();
    });
    socket.on('error', (error) => (heard.includes('-ERR') ? resolve(heard) : reject(error)));
    socket.on('close', () => resolve(heard));
  });
}
