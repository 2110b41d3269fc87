import { randomUUID } from 'node:crypto';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { DepositEndEvidence, DepositEvidence, signEvidence } from '@stablecoin/command-proofs/evidence';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import type { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { CommandEvidence } from './command-evidence';

const payout = new CallerSecret('payout', Buffer.alloc(32, 1));
const ids = { merchant_id: randomUUID(), command_id: randomUUID(), input_hash: 'hash' };

/** As `pg` and Prisma say it of a database that is gone, and of a statement that is wrong. */
const GONE = new Error('Connection terminated unexpectedly');
const WRONG = new Error('column "body" does not exist');

/** With a database that fails so. */
function evidenceWith(failure: Error): CommandEvidence {
  const commandEvidenceKeys = new Map([['payout', [payout.evidenceKey]]]);
  const reads = { $queryRaw: () => Promise.reject(failure) } as unknown as LedgerReads;
  return new CommandEvidence({ commandEvidenceKeys } as unknown as WalletLedgerConfiguration, reads);
}

const asPayout = <Result>(stated: DepositEvidence | DepositEndEvidence, work: () => Promise<Result>) => {
  const request = { merchant_id: ids.merchant_id, mode: 'test' as const, mac: 'mac' };
  const caller = { service: 'payout', request, evidence: signEvidence(payout, stated) };
  return withRequestContext({ ...freshRequestContext(ids.command_id), caller }, work);
};

function recorded(failure: Error) {
  const terms = { wallet_id: randomUUID(), amount: '5', network: null, crypto_transaction_id: null, confirmed: true };
  const { merchant_id, command_id } = ids;
  const place = { ordinal: null, block_number: null, block_hash: null };
  const stated = { type: 'deposit', rail: 'sandbox', merchant_id, command_id, ...terms, ...place } as const;
  const request = { ...ids, id: randomUUID(), reference_id: randomUUID(), reference: null, ...terms };
  return asPayout(stated, () => evidenceWith(failure).ofDeposit(request));
}

function confirmed(failure: Error) {
  const id = randomUUID();
  const { merchant_id, command_id } = ids;
  const stated = { type: 'deposit-end', rail: 'sandbox', to: 'COMPLETED', merchant_id, command_id, id } as const;
  return asPayout(stated, () => evidenceWith(failure).ofDepositEnd(confirmDeposit, { ...ids, id }));
}

describe.each([
  ['a deposit', recorded],
  ['the end of a deposit', confirmed],
])('evidence of %s that is held against the log', (_, asked) => {
  it('is unavailable while the database is away', async () => {
    await expect(asked(GONE)).rejects.toEqual(new Refusal('unavailable'));
  });

  it('reports a bug as one', async () => {
    await expect(asked(WRONG)).rejects.toBe(WRONG);
  });
});
