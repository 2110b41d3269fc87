import { randomUUID } from 'node:crypto';
import { ExplainBalance } from '@stablecoin/contracts/wallet/explain-balance';
import { ExplainTransaction } from '@stablecoin/contracts/wallet/explain-transaction';
import { GetPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { ListCheckpoints } from '@stablecoin/contracts/wallet/list-checkpoints';
import { ListShardCheckpoints } from '@stablecoin/contracts/wallet/list-shard-checkpoints';
import { ProveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';
import { ProveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { originOf } from '@stablecoin/event-proofs/checkpoint';
import { ProofDocument } from '@stablecoin/event-proofs/proof-documents';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { verifyConsistency } from '@stablecoin/event-proofs/verify-consistency';
import { ProofRefused } from '@stablecoin/event-proofs/proven-events';
import { verifyProof } from '@stablecoin/event-proofs/verify-proof';
import { HoldPayout, LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { PayoutPolicy } from '@stablecoin/ledger-domain/events';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { LedgerDatabases } from '../databases/ledger-databases';
import { Checkpointer } from '../checkpoints/checkpointer';
import { acquireLease, ensureShards, settledHead } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { AuditWork } from './audit-work';
import { ExplainBalanceHandler } from './explain-balance.handler';
import { ExplainTransactionHandler } from './explain-transaction.handler';
import { GetPastBalanceHandler } from './get-past-balance.handler';
import { ListCheckpointsHandler } from './list-checkpoints.handler';
import { ProveConsistencyHandler } from './prove-consistency.handler';
import { ProveTransactionHandler } from './prove-transaction.handler';
import { ListShardCheckpointsHandler, ListSignedShardsHandler } from './shards.handlers';

const signer = new NoteSigner(originOf('ledger.test', 0), Buffer.alloc(32, 5));
const trusted = [{ publicKey: signer.publicKey }];
const [merchant_id, otherMerchant] = [randomUUID(), randomUUID()];
const owner = { merchant_id, customer_id: null };
const [usd, usdc] = [timeOrderedId(), timeOrderedId()];
const work = new AuditWork(Object.assign(new WalletLedgerConfiguration(), { poolSize: 20 }));
let files: TestDatabase;
let database: LedgerDatabase;
let writer: ShardWriter;
let checkpointer: Checkpointer;
let clock = Date.parse('2026-01-01T00:00:00.000Z');

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
  await ensureShards(database, 1);
  const lease = await acquireLease(database, 0, randomUUID());
  const head = lease && (await settledHead(database, lease));
  if (!lease || !head) throw new Error('the shard is held');
  const callbacks = { onCommit: () => undefined, onLeaseLost: () => undefined };
  const now = () => new Date((clock += 1_000));
  writer = new ShardWriter({ database, lease, head, deriveAddress: () => '', lastRecordedAt: '', now, ...callbacks });
  checkpointer = new Checkpointer({
    database,
    lease,
    signer,
    connection: { publish: () => undefined },
    intervalMs: 60_000,
    now: () => new Date(),
  });
  await submit({ kind: 'OpenWallet', ...owner, ...walletOf(usd), currency: 'USD' });
  await submit({ kind: 'OpenWallet', ...owner, ...walletOf(usdc), currency: 'USDC' });
  const elsewhere = { merchant_id: otherMerchant, customer_id: null };
  await submit({ kind: 'OpenWallet', ...elsewhere, ...walletOf(timeOrderedId()), currency: 'USD' });
});

afterAll(async () => {
  await database.$disconnect();
  await files.drop();
});

const walletOf = (wallet_id: string) =>
  ({ wallet_id, address_id: timeOrderedId(), address_index: 1, description: null, network: null }) as const;

async function submit(command: LedgerCommand): Promise<void> {
  const request = { merchant_id: command.merchant_id, command_id: randomUUID(), input_hash: '' };
  await writer.submit({ request, command, result: () => ({}) });
}

const codeOf = async (id: string) =>
  (
    await database.$queryRaw<{ transaction_id: string }[]>`
    SELECT transaction_id FROM transactions WHERE id = ${id}::uuid`
  )[0]?.transaction_id as string;

async function deposit(amount: string, confirmed = true, into = { merchant_id, wallet_id: usd }): Promise<string> {
  const ids = { id: timeOrderedId(), reference_id: timeOrderedId(), ...into };
  await submit({ kind: 'RecordDeposit', ...ids, amount, network: null, reference: 'invoice-1', confirmed });
  return ids.id;
}

const signerOf = () => ({ key_id: randomUUID(), signer_id: randomUUID() });

/** Each payout takes one approval. */
const FOUR_EYES: PayoutPolicy = {
  limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '1000.00000000' }],
  new_destination_wait_seconds: 0,
  approval: {
    ...{ above: [{ currency: 'USD', amount: '1.00000000' }], new_destination: false, new_rail: false },
    ...{ approvers: 1, expires_after_seconds: 3_600 },
  },
};

const payout = (...resolutions: Resolution[]) => heldPayout(resolutions);

type Resolution = 'COMPLETED' | 'FAILED' | 'REVERSED';

async function heldPayout(resolutions: readonly Resolution[], terms: Partial<HoldPayout> = {}): Promise<string> {
  const id = timeOrderedId();
  await submit({
    kind: 'HoldPayout',
    ...owner,
    id,
    reference_id: timeOrderedId(),
    currency: 'USD',
    amount: '30.50',
    network: null,
    sealed_destination: 'v1.sealed',
    bank_name: 'a "bank",\\"balance_after":"1"',
    bank_code: '058',
    recipient_currency: 'NGN',
    recipient_country: null,
    exchange_rate: '1500',
    fee_schedule: { flat: '0.25', basis_points: 100 },
    ...terms,
  });
  for (const resolution of resolutions) {
    await submit({
      kind: 'ResolvePayout',
      merchant_id,
      transaction: id,
      resolution,
      rail_reference: 'rail-1',
      onward: null,
    });
  }
  return id;
}

async function swap(): Promise<{ debit: string; credit: string; swap_id: string }> {
  const ids = { debit_id: timeOrderedId(), credit_id: timeOrderedId(), swap_id: timeOrderedId() };
  const pair = { from_currency: 'USD', to_currency: 'USDC', from_amount: '10', to_amount: '9.9' } as const;
  const terms = { quoted_price: '0.99', valid_until: '9999-12-31T23:59:59.999Z' };
  await submit({ kind: 'PostSwap', ...owner, ...ids, ...pair, ...terms });
  return { debit: ids.debit_id, credit: ids.credit_id, swap_id: ids.swap_id };
}

const prove = (transaction_id: string, merchant = merchant_id) => {
  const request = Object.assign(new ProveTransaction(), { merchant_id: merchant, transaction_id });
  return new ProveTransactionHandler(LedgerDatabases.only(database), work).execute(request);
};
const explain = (transaction_id: string, merchant = merchant_id) => {
  const request = Object.assign(new ExplainTransaction(), { merchant_id: merchant, transaction_id });
  return new ExplainTransactionHandler(LedgerDatabases.only(database), work).execute(request);
};
const pastBalance = (as_of: string, merchant = merchant_id, wallet_id = usd) => {
  const request = Object.assign(new GetPastBalance(), { merchant_id: merchant, wallet_id, as_of });
  return new GetPastBalanceHandler(LedgerDatabases.only(database), work).execute(request);
};
const refusalOf = async (asked: Promise<unknown>) => ((await asked.catch((error: unknown) => error)) as Refusal).code;

describe('a proof', () => {
  it('shows every transaction in each of its states, and its groups in balance', async () => {
    const cases: [string, string[]][] = [
      [await deposit('1000'), ['PENDING', 'COMPLETED']],
      [await deposit('5', false), ['PENDING']],
      [await payout(), ['PENDING']],
      [await payout('COMPLETED'), ['PENDING', 'COMPLETED']],
      [await payout('FAILED'), ['PENDING', 'FAILED']],
      [await payout('COMPLETED', 'REVERSED'), ['PENDING', 'COMPLETED', 'REVERSED']],
    ];
    const { debit, credit } = await swap();
    cases.push([debit, ['PENDING', 'COMPLETED']], [credit, ['PENDING', 'COMPLETED']]);
    await checkpointer.make();
    for (const [id, statuses] of cases) {
      const transaction_id = await codeOf(id);
      const proof = JSON.parse(JSON.stringify(await prove(transaction_id))) as ProofDocument;
      const proved = verifyProof(proof, trusted);
      expect(proved.opening).toMatchObject({ id, transaction_id });
      expect(proved.statuses.map(({ status }) => status)).toEqual(statuses);
      expect(verifyProof({ status: 'success', data: proof }, trusted)).toEqual(proved);
      expect((await explain(transaction_id)).statuses).toEqual(proved.statuses);
    }
  });

  it('shows a payout that waited: how it was judged, approved and let go, none of which moves money', async () => {
    const [merchant, id] = [randomUUID(), timeOrderedId()];
    const waiting = { merchant_id: merchant, customer_id: null };
    const wallet = walletOf(timeOrderedId());
    await submit({ kind: 'OpenWallet', ...waiting, ...wallet, currency: 'USD' });
    await deposit('50', true, { merchant_id: merchant, wallet_id: wallet.wallet_id });
    await submit({
      kind: 'ChangePolicy',
      merchant_id: merchant,
      policy: FOUR_EYES,
      changed_by: 'op',
      reason: 'a case',
    });
    await heldPayout([], { id, merchant_id: merchant, destination_hash: 'd'.repeat(64), created_by: signerOf() });
    const [{ approval_hash }] = await database.$queryRaw<[{ approval_hash: string }]>`
      SELECT under_policy::json #>> '{approval,hash}' AS approval_hash FROM transactions WHERE id = ${id}::uuid`;
    const approve = { kind: 'ApprovePayout', merchant_id: merchant, transaction: id, approval_hash } as const;
    await submit({ ...approve, signer: signerOf() });
    await checkpointer.make();
    const proof = await prove(await codeOf(id), merchant);
    const proved = verifyProof(JSON.parse(JSON.stringify(proof)), trusted);
    expect(proved.statuses.map(({ status }) => status)).toEqual(['PENDING']);
    const types = proved.events.map(({ statement }) => statement.event.type);
    expect(types).toEqual(expect.arrayContaining(['PolicyApplied', 'PayoutApproved', 'PayoutReleased']));
    const without = proof.events.filter(({ statement }) => !statement.includes('"PayoutApproved"'));
    expect(() => verifyProof({ ...proof, events: without }, trusted)).toThrow(ProofRefused);
  });

  it('is pending until a checkpoint covers the newest of its events', async () => {
    const id = await payout();
    const code = await codeOf(id);
    expect(await refusalOf(prove(code))).toBe('proof_pending');
    expect(await explain(code)).toMatchObject({ checkpoint_size: null });
    await checkpointer.make();
    expect(verifyProof(await prove(code), trusted).statuses).toHaveLength(1);
    await submit({
      kind: 'ResolvePayout',
      merchant_id,
      transaction: id,
      resolution: 'COMPLETED',
      rail_reference: 'r',
      onward: null,
    });
    expect(await refusalOf(prove(code))).toBe('proof_pending');
    await checkpointer.make();
    expect(verifyProof(await prove(code), trusted).statuses).toHaveLength(2);
    expect(await explain(code)).toMatchObject({
      checkpoint_size: expect.any(Number) as unknown,
      rail_reference: 'r',
    });
  });

  it('shows no balance of the house, and no hash from which one could be found by trial', async () => {
    const code = await codeOf(await payout('COMPLETED'));
    await checkpointer.make();
    const [proof, explanation] = [await prove(code), await explain(code)];
    const rows = await database.$queryRaw<{ balance: string; hash: Uint8Array; house: boolean }[]>`
      SELECT body::jsonb #>> '{event,balance_after}' AS balance, hash, account_id LIKE '%:%' AS house
      FROM ledger_events WHERE position = ANY (${proof.events.map(({ position }) => position)}::bigint[])
      ORDER BY position`;
    expect(proof.events.map(({ balance }) => balance?.after ?? null)).toEqual(
      rows.map(({ balance, house }) => (house ? null : balance)),
    );
    const shown = JSON.stringify([proof, explanation]);
    const houseBalances = rows.filter(({ house }) => house).map(({ balance }) => `"${balance}"`);
    houseBalances.forEach((balance) =>
      expect(shown.replaceAll('\\"', '"')).not.toContain(`"balance_after":${balance}`),
    );
    rows.forEach(({ hash }) => expect(shown).not.toContain(Buffer.from(hash).toString('hex')));
  });

  it('fails when anything in it is changed', async () => {
    const code = await codeOf(await payout('COMPLETED', 'REVERSED'));
    await checkpointer.make();
    const proof = await prove(code);
    // Without the fields that are null: changing the name of such a field changes no statement.
    const text = JSON.stringify(proof, (_name, value: unknown) => value ?? undefined);
    expect(() => verifyProof(JSON.parse(text), trusted)).not.toThrow();
    const digits = [...text.matchAll(/[0-9a-f](?=[0-9a-f.])/g)].map(({ index }) => index);
    for (const place of digits.filter((_place, turn) => turn % 5 === 0)) {
      const changed = `${text.slice(0, place)}${text[place] === '1' ? '2' : '1'}${text.slice(place + 1)}`;
      expect(() => verifyProof(JSON.parse(changed), trusted)).toThrow(ProofRefused);
    }
    const without = (start: number) => ({ ...proof, events: proof.events.filter((_event, index) => index !== start) });
    proof.events.forEach((_event, index) => {
      // Only the last event can be left out unnoticed: a change of status, without which its group still balances.
      const isLast = index === proof.events.length - 1;
      if (!isLast) expect(() => verifyProof(without(index), trusted)).toThrow(ProofRefused);
    });
    const strange = await codeOf(await deposit('1'));
    await checkpointer.make();
    const [again, other] = [await prove(code), await prove(strange)];
    const together = { ...again, events: [...again.events, ...other.events] };
    expect(() => verifyProof(together, trusted)).toThrow(/of another/);
    expect(() => verifyProof({ ...proof, checkpoint: other.checkpoint }, trusted)).toThrow(/not in the log/);
    expect(() => verifyProof(proof, [{ publicKey: Buffer.alloc(32, 1) }])).toThrow(/no valid signature/);
    for (const none of [null, [], 'text', {}, { ...proof, events: [] }, { ...proof, events: [null] }]) {
      expect(() => verifyProof(none, trusted)).toThrow(ProofRefused);
    }
  });

  it('is refused to other merchants', async () => {
    const code = await codeOf(await deposit('1'));
    await checkpointer.make();
    expect(await refusalOf(prove(code, otherMerchant))).toBe('not_found');
    expect(await refusalOf(explain(code, otherMerchant))).toBe('not_found');
    expect(await refusalOf(prove('AAAAAAAAAA'))).toBe('not_found');
  });
});

describe('an explanation', () => {
  it('names the quote of a swap and shows both of its halves', async () => {
    const { debit, swap_id } = await swap();
    const explained = await explain(await codeOf(debit));
    expect(explained).toMatchObject({ quote_id: swap_id, rail_reference: null, fee: null, amount: '10.00000000' });
    expect(explained.events.map(({ type, account_id, amount }) => [type, account_id, amount])).toEqual([
      ['DebitPosted', usd, '10.00000000'],
      ['CreditPosted', 'liquidity:USD', '10.00000000'],
      ['TransactionStatusChanged', usdc, null],
      ['DebitPosted', 'liquidity:USDC', '9.90000000'],
      ['CreditPosted', usdc, '9.90000000'],
      ['TransactionStatusChanged', usd, null],
      ['TransactionStatusChanged', usdc, null],
    ]);
    expect(explained.events.map(({ balance_after }) => balance_after === null)).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('a balance as of', () => {
  it('a time or a position: the balance that the log has there', async () => {
    const before = await pastBalance(String(await end()));
    await deposit('7');
    const after = await pastBalance(String(await end()));
    expect(Number(after.balance) - Number(before.balance)).toBe(7);
    expect(await pastBalance(String((after.position ?? 0) - 4))).toEqual(before);
    expect(await pastBalance(after.recorded_at ?? '')).toEqual(after);
    const msBefore = new Date(Date.parse(after.recorded_at ?? '') - 1).toISOString();
    expect(await pastBalance(msBefore)).toEqual(before);
  });

  it('a time before the wallet was opened: nothing', async () => {
    const nothing = { wallet_id: usd, currency: 'USD', balance: '0.00000000', position: null, recorded_at: null };
    expect(await pastBalance('0')).toEqual(nothing);
    expect(await pastBalance('2000-01-01T00:00:00Z')).toEqual(nothing);
  });

  it('the future, or another merchant’s wallet: refused', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const moment of [tomorrow, String((await end()) + 1)]) {
      const refusal = (await pastBalance(moment).catch((error: unknown) => error)) as Refusal;
      expect(refusal.fields).toEqual([expect.objectContaining({ field: 'as_of', code: 'in_the_future' })]);
    }
    expect(await refusalOf(pastBalance('1', otherMerchant))).toBe('not_found');
    expect(await refusalOf(pastBalance('1', merchant_id, randomUUID()))).toBe('not_found');
  });

  const end = async () =>
    Number((await database.$queryRaw<{ head: bigint }[]>`SELECT head_position AS head FROM ledger_shards`)[0]?.head);
});

describe('an explanation of a balance', () => {
  const explained = (as_of: string | null, limit = 100, wallet_id = usd) => {
    const request = Object.assign(new ExplainBalance(), { wallet_id, as_of, limit });
    return new ExplainBalanceHandler(LedgerDatabases.only(database), work).execute(request);
  };

  it('shows every change of the log, which together make the balance up', async () => {
    await deposit('250');
    await payout('FAILED');
    await swap();
    const { events, opening, balance, earlier, ...of } = await explained(null);
    expect(of).toEqual({ wallet_id: usd, merchant_id, shard: 0, currency: 'USD' });
    const sum = events.reduce((all, { change }) => all + Number(change), Number(opening));
    expect(sum).toBeCloseTo(Number(balance), 8);
    expect({ opening: Number(opening), earlier }).toEqual({ opening: 0, earlier: null });
    expect(events.map(({ position }) => position)).toEqual(
      events.map(({ position }) => position).sort((a, b) => b - a),
    );
    for (const { transaction_id, movement } of events)
      expect(transaction_id === null).toBe(['wallet-opened', 'address-added'].includes(movement));
  });

  it('of any moment and page by page is the same, and ends where the page before began', async () => {
    const all = await explained(null);
    const pages = [];
    for (let moment: string | null = '999999'; moment !== null;) {
      const page: Awaited<ReturnType<typeof explained>> = await explained(moment, 3);
      expect(page.events.length).toBeLessThanOrEqual(3);
      expect(page.balance).toBe(page.events[0]?.balance_after);
      pages.push(...page.events);
      moment = page.earlier;
    }
    expect(pages).toEqual(all.events);
  });

  it('before the wallet was opened has no events; of a wallet that is none it is refused', async () => {
    expect(await explained('2025-01-01T00:00:00Z')).toMatchObject({ events: [], earlier: null });
    await expect(explained(null, 10, randomUUID())).rejects.toThrow(new Refusal('not_found'));
  });
});

it('auditors see each shard with what was signed of it last', async () => {
  await deposit('1');
  await checkpointer.make();
  const { shards } = await new ListSignedShardsHandler(LedgerDatabases.only(database)).execute({});
  expect(shards).toMatchObject([{ shard: 0, events: shards[0]?.checkpoint?.size }]);
  const request = Object.assign(new ListShardCheckpoints(), { shard: 0, page: 1, limit: 1 });
  const { items } = await new ListShardCheckpointsHandler(LedgerDatabases.only(database)).execute(request);
  expect(items).toEqual([shards[0]?.checkpoint]);
});

describe('checkpoints', () => {
  const list = (limit: number, page = 1) => {
    const request = Object.assign(new ListCheckpoints(), { merchant_id, shard: 0, page, limit });
    return new ListCheckpointsHandler(LedgerDatabases.only(database)).execute(request);
  };

  it('are listed newest first, with the key that verifies them, and each continues those before', async () => {
    await deposit('1');
    await checkpointer.make();
    const { items, total } = await list(100);
    expect(total).toBe(items.length);
    expect(items.map(({ size }) => size)).toEqual(items.map(({ size }) => size).sort((one, other) => other - one));
    const key = { public_key: signer.publicKey.toString('base64'), verifier_key: signer.verifierKey };
    expect(items[0]).toMatchObject({ origin: 'ledger.test/shard/0', key_id: signer.keyId, ...key });
    expect((await list(1, 2)).items).toEqual([items[1]]);
    const newest = items[0];
    for (const kept of items) {
      const document = await consistency(kept.size, newest?.size ?? 0);
      expect(verifyConsistency(kept.checkpoint, document, trusted)).toMatchObject({ old: { size: kept.size } });
    }
    const [one, other] = [items[1], items[2]];
    const document = await consistency(one?.size ?? 0, newest?.size ?? 0);
    expect(() => verifyConsistency(other?.checkpoint ?? '', document, trusted)).toThrow(/another checkpoint/);
    const spoilt = {
      ...document,
      path: document.path.map((hash) => hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))),
    };
    expect(() => verifyConsistency(one?.checkpoint ?? '', spoilt, trusted)).toThrow(/not the beginning/);
    expect(await refusalOf(consistency(1, 999_999))).toBe('not_found');
  });

  const consistency = (from: number, to: number) => {
    const request = Object.assign(new ProveConsistency(), { merchant_id, shard: 0, from, to });
    return new ProveConsistencyHandler(LedgerDatabases.only(database), work).execute(request);
  };
});
