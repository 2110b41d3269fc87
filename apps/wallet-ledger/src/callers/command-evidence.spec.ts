import { randomUUID } from 'node:crypto';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import {
  ApprovalEvidence,
  DepositEndEvidence,
  DepositEvidence,
  PolicyEvidence,
  signEvidence,
} from '@stablecoin/command-proofs/evidence';
import { ApprovePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { ChangePolicy } from '@stablecoin/contracts/wallet/change-policy';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import type { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { LedgerDatabases } from '../databases/ledger-databases';
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
  return new CommandEvidence(
    { commandEvidenceKeys } as unknown as WalletLedgerConfiguration,
    LedgerDatabases.only(reads),
  );
}

const asPayout = <Result>(stated: DepositEvidence | DepositEndEvidence, work: () => Promise<Result>) => {
  const request = { by: 'gateway', merchant_id: ids.merchant_id, mode: 'test' as const, mac: 'mac' };
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

describe("evidence of a chain's deposit", () => {
  const chain = new CallerSecret('chain', Buffer.alloc(32, 4));
  const { merchant_id } = ids;
  const transfer = { network: 'polygon' as const, crypto_transaction_id: '0xa' };
  const USDC = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359';
  const NAME = `deposit:137:0xa:${USDC}:0:0`;
  const idOf = (name: string) => derivedUuid(`record-${name}`);

  /** @param terms of the command and of what is stated; `place` of the latter alone */
  async function judged(terms: object, place: object = {}): Promise<string> {
    const about = {
      merchant_id,
      command_id: idOf(NAME),
      wallet_id: randomUUID(),
      amount: '5',
      confirmed: true,
      ...transfer,
      ...terms,
    };
    const seen = { ordinal: 0, block_number: 7, block_hash: '0xb', deposit_name: NAME, ...place };
    const stated = { type: 'deposit', rail: 'chain', ...about, ...seen } as DepositEvidence;
    const commandEvidenceKeys = new Map([['chain', [chain.evidenceKey]]]);
    const judge = new CommandEvidence(
      { commandEvidenceKeys } as unknown as WalletLedgerConfiguration,
      LedgerDatabases.only({} as LedgerReads),
    );
    const caller = { service: 'chain', evidence: signEvidence(chain, stated) };
    try {
      await withRequestContext({ ...freshRequestContext(about.command_id), caller }, () =>
        judge.ofDeposit({ ...ids, ...about }),
      );
      return 'taken';
    } catch (error) {
      return (error as Refusal).code;
    }
  }

  it('names the transfer that brought it', async () => {
    expect(await judged({})).toBe('taken');
  });

  it.each<[string, object, object]>([
    [
      'no network, so that it is booked as if a bank had brought it',
      { network: null, crypto_transaction_id: null },
      {},
    ],
    ['no transaction', { crypto_transaction_id: null }, {}],
    ['no place in it', {}, { ordinal: null }],
    ['a place that is no number', {}, { ordinal: '0' }],
    ['no block', {}, { block_hash: null }],
    ['no height', {}, { block_number: null }],
  ])('that names %s is refused', async (_name, terms, place) => {
    expect(await judged(terms, place)).toBe('unavailable');
  });

  describe('the id of the command that records it', () => {
    const [again, credited] = [NAME.replace(/0$/, '1'), `${NAME}:${randomUUID()}`];

    it('is derived from its name, which says the transfer, its round, and who credited it', async () => {
      for (const deposit_name of [NAME, again, credited])
        expect(await judged({ command_id: idOf(deposit_name) }, { deposit_name })).toBe('taken');
    });

    it('is derived as ever where a version before states no name', async () => {
      for (const name of [NAME, again])
        expect(await judged({ command_id: idOf(name) }, { deposit_name: undefined })).toBe('taken');
      expect(await judged({ command_id: idOf(credited) }, { deposit_name: undefined })).toBe('unavailable');
    });

    it.each<[string, string, unknown]>([
      ['drawn', randomUUID(), NAME],
      ['drawn, and no name is stated', randomUUID(), undefined],
      ["that of a payout's end", derivedUuid('resolve-payout:1:COMPLETED'), 'deposit:resolve-payout:1:COMPLETED'],
      ["that of another deposit's end", derivedUuid(`confirm-${NAME}`), NAME],
      ['of another transaction', idOf(NAME.replace('0xa', '0xb')), NAME.replace('0xa', '0xb')],
      ['of another place in it', idOf(NAME.replace(':0:0', ':1:0')), NAME.replace(':0:0', ':1:0')],
      ['of a name that is none', idOf('7'), 7],
    ])('is refused where it is %s', async (_name, command_id, deposit_name) => {
      expect(await judged({ command_id }, { deposit_name })).toBe('unavailable');
    });
  });
});

describe('evidence of an approval', () => {
  const backoffice = new CallerSecret('backoffice', Buffer.alloc(32, 2));
  const device = SoftwareDevice.at('https://console.example');
  const approval_hash = 'ab'.repeat(32);
  const signer = { key_id: randomUUID(), signer_id: randomUUID() };
  const request: ApprovePayout = { ...ids, transaction: 'K7Q2ZP9X4B', approval_hash, signer };
  const { merchant_id, command_id } = ids;
  const stated: ApprovalEvidence = {
    ...{ type: 'approval', merchant_id, transaction: request.transaction, approval_hash, ...signer, command_id },
    ...device.signs(Buffer.from(approval_hash, 'hex')),
  };

  /** @returns 'taken' or the refusal's code */
  function judged(
    service: string,
    evidence: ApprovalEvidence | undefined,
    secret = backoffice,
    commandsAcceptedUnsigned = false,
  ): string {
    const commandEvidenceKeys = new Map([['backoffice', [backoffice.evidenceKey]]]);
    const configuration = { commandEvidenceKeys, commandsAcceptedUnsigned } as unknown as WalletLedgerConfiguration;
    const judge = new CommandEvidence(configuration, LedgerDatabases.only({} as LedgerReads));
    const caller = { service, evidence: evidence && signEvidence(secret, evidence) };
    try {
      withRequestContext({ ...freshRequestContext(command_id), caller }, () => judge.ofApproval(request));
      return 'taken';
    } catch (error) {
      return (error as Refusal).code;
    }
  }

  it('is what the passkey of a person has signed', () => {
    expect(judged('backoffice', stated)).toBe('taken');
  });

  it("is not asked of a merchant's key", () => {
    expect(judged('gateway', undefined)).toBe('taken');
  });

  it.each<[string, ApprovalEvidence | undefined]>([
    ['nothing', undefined],
    ['another payout', { ...stated, transaction: 'AAAAAAAAAA' }],
    ["another merchant's", { ...stated, merchant_id: randomUUID() }],
    ['another person', { ...stated, signer_id: randomUUID() }],
    ['another membership', { ...stated, key_id: randomUUID() }],
    ['another command', { ...stated, command_id: randomUUID() }],
    ['another hash', { ...stated, approval_hash: 'cd'.repeat(32) }],
    ['what a device signed of another payout', { ...stated, ...device.signs(Buffer.alloc(32, 1)) }],
    [
      'a device that did not see its person',
      { ...stated, ...device.signs(Buffer.from(approval_hash, 'hex'), { unverified: true }) },
    ],
    ['more than any service does', { ...stated, more: 'x'.repeat(40_000) } as ApprovalEvidence],
    ['another type', { ...stated, type: 'policy' } as unknown as ApprovalEvidence],
  ])('that says %s is refused', (_name, said) => {
    expect(judged('backoffice', said)).toBe('unavailable');
  });

  it('is asked for also while commands of versions before are taken', () => {
    expect(judged('backoffice', undefined, backoffice, true)).toBe('unavailable');
    expect(judged('backoffice', stated, backoffice, true)).toBe('taken');
  });

  it("that is signed by another service's key is refused", () => {
    expect(judged('backoffice', stated, payout)).toBe('unavailable');
  });
});

describe('evidence of a policy', () => {
  const operator = new CallerSecret('operator', Buffer.alloc(32, 3));
  const policy = { limits: [], new_destination_wait_seconds: 0 };
  const request = { ...ids, policy, changed_by: 'an operator', reason: 'case 1' } as unknown as ChangePolicy;
  const { merchant_id, command_id } = ids;
  const about = { merchant_id, command_id, changed_by: 'an operator', reason: 'case 1', policy: canonicalText(policy) };
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

  /** @returns the number that it is to have, or the refusal's code */
  function judged(more: Partial<PolicyEvidence>, commandsAcceptedUnsigned = false): unknown {
    const commandEvidenceKeys = new Map([['operator', [operator.evidenceKey]]]);
    const configuration = { commandEvidenceKeys, commandsAcceptedUnsigned } as unknown as WalletLedgerConfiguration;
    const judge = new CommandEvidence(configuration, LedgerDatabases.only({} as LedgerReads));
    const caller = { service: 'operator', evidence: signEvidence(operator, { type: 'policy', ...about, ...more }) };
    try {
      return withRequestContext({ ...freshRequestContext(command_id), caller }, () => judge.ofPolicy(request, policy));
    } catch (error) {
      return (error as Refusal).code;
    }
  }

  it('has the number that the policy is to have, and is of now', () => {
    expect(judged({ policy_version: 3, stated_at: minutesAgo(9) })).toBe(3);
    expect(judged({ policy_version: 3, stated_at: minutesAgo(-9) })).toBe(3);
  });

  it.each<[string, Partial<PolicyEvidence>]>([
    ['was kept back', { policy_version: 3, stated_at: minutesAgo(11) }],
    ['is dated ahead', { policy_version: 3, stated_at: minutesAgo(-11) }],
    ['has no time', { policy_version: 3 }],
    ['has no number', { stated_at: minutesAgo(0) }],
    ['has neither', {}],
  ])('that %s is refused', (_name, more) => {
    expect(judged(more)).toBe('unavailable');
  });

  it('of a version before, with neither, is taken while such are accepted', () => {
    expect(judged({}, true)).toBeNull();
    expect(judged({ policy_version: 3 }, true)).toBe('unavailable');
  });
});
