import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Money } from '@stablecoin/money/money';
import { eventually } from '@stablecoin/testing/eventually';
import { testStack as stack } from '@stablecoin/testing/stack';
import { audit, auditJson } from './audit-command';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient, ROOT, sandboxMerchant } from './merchants';
import { createIndividual, openWallet } from './people';
import { Swap, Transaction, Wallet } from './resources';

interface Explanation {
  quote_id: string | null;
  checkpoint_size: number | null;
  statuses: { status: string; position: number }[];
  events: { position: number; account_id: string; balance_after: string | null }[];
}

interface PastBalance {
  balance: string;
  position: number | null;
  recorded_at: string | null;
}

/** A merchant requests proofs and checks them without us; then the files are changed. The cases run in their order. */
describe('proofs', () => {
  covers(
    'GET /audit/balances',
    'GET /audit/transactions/{transaction_id}',
    'GET /audit/proofs/{transaction_id}',
    'GET /audit/liabilities/{wallet_id}',
    'GET /audit/checkpoints',
    'GET /audit/consistency',
  );
  const folder = mkdtempSync(join(tmpdir(), 'proofs-'));
  const proofFile = join(folder, 'proof.json');
  const keptFile = join(folder, 'kept.txt');
  let merchant: Client;
  let dollars: Wallet;
  let swap: Swap;
  let payout: Transaction;
  let publicKey: string;

  beforeAll(async () => {
    merchant = sandboxMerchant(stack());
    const { id: customer_id } = await createIndividual(merchant);
    dollars = await openWallet(merchant, { customer_id, currency: 'USD' }, '100');
    await openWallet(merchant, { customer_id, currency: 'NGN' });
    const pair = { customer_id, from_currency: 'USD', to_currency: 'NGN', amount: '40' } as const;
    await merchant.sdk.quotes.create(pair);
    swap = await merchant.sdk.swaps.execute(pair);
    const bank = {
      currency: 'USD',
      account_number: '7755330009',
      bank_code: '011',
      recipient_name: 'Ada Obi',
    } as const;
    payout = await merchant.sdk.payouts.createToBank({ customer_id, ...bank, amount: '5' });
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  const checkpoints = (client = merchant) => client.sdk.audit.checkpoints().then(({ data }) => data);

  /** As an outside auditor runs it: Node, one file, one key. */
  const alone = (...args: string[]) =>
    new Promise<{ code: number; out: string }>((done) => {
      const script = join(ROOT, 'dist/libs/event-proofs/src/cli.js');
      const child = execFile(process.execPath, [script, ...args], { cwd: folder, env: {} }, (_error, out, err) =>
        done({ code: child.exitCode ?? -1, out: `${out}${err}` }),
      );
    });

  it('are pending until a checkpoint covers every event', async () => {
    // No checkpoint is signed by itself while this journey runs, unless it is slow.
    const asked = await merchant.get(`/audit/proofs/${payout.transaction_id}`);
    expect([200, 409]).toContain(asked.status);
    if (asked.status === 409) expect(asked.body.code).toBe('proof_pending');
    expect((await audit(stack(), 'checkpoint')).code).toBe(0);
    const [newest] = await checkpoints();
    publicKey = newest?.public_key ?? '';
    writeFileSync(keptFile, newest?.checkpoint ?? '');
    const explained = await merchant.sdk.audit.explain(payout.transaction_id);
    // Or the one after it: an earlier journey's payout may have been settled meanwhile.
    expect(explained.checkpoint_size).toBeGreaterThanOrEqual(newest?.size ?? Infinity);
  });

  it('are checked with a file and a public key, and nothing else', async () => {
    for (const transaction of [payout, swap.debitTransaction, swap.creditTransaction]) {
      const answer = await merchant.get(`/audit/proofs/${transaction.transaction_id}`);
      expect(answer.status).toBe(200);
      writeFileSync(proofFile, answer.text);
      const { code, out } = await alone('verify-proof', proofFile, '--key', publicKey);
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringContaining(`Proved: transaction ${transaction.transaction_id}`),
      });
    }
    const elsewhere = await audit(
      { ...stack(), data_dir: join(folder, 'nowhere') },
      'verify-proof',
      proofFile,
      '--key',
      publicKey,
    );
    expect(elsewhere).toMatchObject({ code: 0, stderr: '' });
  });

  it('fail when the file, or the key, is another', async () => {
    const text = readFileSync(proofFile, 'utf8');
    const changed = text.replace(/\\"amount\\":\\"(\d)/, (found, digit: string) =>
      found.replace(/\d$/, digit === '9' ? '8' : '9'),
    );
    expect(changed).not.toBe(text);
    writeFileSync(join(folder, 'changed.json'), changed);
    const { code, out } = await alone('verify-proof', 'changed.json', '--key', publicKey);
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/^NOT proved: position \d+: the event is not in/),
    });
    const other = await alone('verify-proof', proofFile, '--key', Buffer.alloc(32, 1).toString('base64'));
    expect(other).toEqual({ code: 1, out: expect.stringContaining('no valid signature') });
    expect((await alone('verify-proof', proofFile)).code).toBe(2);
    expect((await alone('verify-proof', 'no-such-file', '--key', publicKey)).code).toBe(2);
  });

  it('show that the log has only grown since a checkpoint that was kept', async () => {
    await merchant.sdk.sandbox.deposit({ wallet_id: dollars.id, amount: '1' });
    expect((await audit(stack(), 'checkpoint')).code).toBe(0);
    const [newest, before] = await checkpoints();
    const answer = await merchant.get(`/audit/consistency?from=${before?.size}&to=${newest?.size}`);
    expect(answer.status).toBe(200);
    writeFileSync(join(folder, 'grown.json'), answer.text);
    writeFileSync(keptFile, before?.checkpoint ?? '');
    const grown = await alone('verify-consistency', keptFile, 'grown.json', '--key', newest?.verifier_key ?? '');
    expect(grown).toEqual({ code: 0, out: expect.stringContaining('nothing of what was signed at') });
    const turned = await alone(
      'verify-consistency',
      proofFile,
      'grown.json',
      '--key',
      Buffer.alloc(32).toString('base64'),
    );
    expect(turned.code).toBe(1);
    // The log is signed every second here, at its current size: only a size that it never had is surely unsigned.
    const unsigned = (newest?.size ?? 0) + 1_000_000;
    await refusalOf(merchant.get(`/audit/consistency?from=${before?.size}&to=${unsigned}`), 404, 'not_found');
    const wrong = merchant.get('/audit/consistency?from=0&to=x');
    expect(await fieldErrorsOf(wrong)).toEqual({ from: 'invalid_number', to: 'invalid_number' });
  });

  it('come from the command line too, and the log agrees with what was signed', async () => {
    const run = await audit(stack(), 'prove', payout.transaction_id, '--out', proofFile);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('written to') });
    expect((await alone('verify-proof', proofFile, '--key', publicKey)).code).toBe(0);
    const verified = await auditJson<{ checkpoints: { verified: number }[] }>(
      stack(),
      ...['verify', '--key', publicKey, '--checkpoint', keptFile],
    );
    expect(verified.code).toBe(0);
    expect(verified.report.checkpoints.some(({ verified: count }) => count >= 3)).toBe(true);
    const wallet = await audit(stack(), 'explain', '--wallet', dollars.id);
    expect(wallet).toMatchObject({ code: 0, stdout: expect.stringContaining(`quote ${swap.swapId}`) });
  });

  it('explain a transaction with its events, and show nothing of the house’s accounts', async () => {
    const path = `/audit/transactions/${swap.debitTransaction.transaction_id}`;
    const explained = await dataOf(merchant.get<Explanation>(path));
    expect(explained).toMatchObject({ quote_id: swap.swapId });
    expect(explained.statuses.map(({ status }) => status)).toEqual(['PENDING', 'COMPLETED']);
    for (const { account_id, balance_after } of explained.events) {
      expect(balance_after === null).toBe(account_id.includes(':'));
    }
  });

  it('show what a wallet held, then and before', async () => {
    const balance = (asOf?: string) => {
      const moment = asOf === undefined ? '' : `&as_of=${asOf}`;
      return dataOf(merchant.get<PastBalance>(`/audit/balances?wallet_id=${dollars.id}${moment}`));
    };
    const explained = await merchant.sdk.audit.explain(payout.transaction_id);
    const held = explained.statuses[0]?.position ?? 0;
    expect(await balance(String(held))).toMatchObject({ balance: '55.00000000', position: held });
    expect(await balance(String(held - 1))).toMatchObject({ balance: '60.00000000' });
    expect(await balance('2000-01-01T00:00:00Z')).toMatchObject({ balance: '0.00000000', position: null });
    await eventually(
      'the deposit has arrived',
      async () => (await balance(new Date().toISOString())).balance === '56.00000000',
    );
    expect(await balance()).toEqual(await balance(new Date().toISOString()));
    const wrong = (query: string) => fieldErrorsOf(merchant.get(`/audit/balances?${query}`));
    expect(await wrong(`wallet_id=${dollars.id}&as_of=9999-01-01T00:00:00Z`)).toEqual({ as_of: 'in_the_future' });
    expect(await wrong('wallet_id=x&as_of=yesterday')).toEqual({ wallet_id: 'invalid_uuid', as_of: 'invalid_moment' });
  });

  it('show that a wallet is counted in what is owed, with the money that is held for its payouts', async () => {
    const path = `/audit/liabilities/${dollars.id}`;
    const { balance } = await dataOf(merchant.get<Wallet>(`/wallets/${dollars.id}`));
    // Its recipient's payouts stay PENDING.
    const fee = Money.parse('USD', payout.fee ?? '0');
    const held = Money.parse('USD', payout.amount).plus(fee).toString();
    const counted = async () => (await merchant.get<{ balance: string; held: string }>(path)).body.data;
    await eventually(
      'a statement counts it',
      async () => (await counted())?.held === held && (await counted())?.balance === balance,
      { timeoutMs: 30_000 },
    );
    const answer = await merchant.get<{ balance: string; held: string; statement: string }>(path);
    expect(answer.body.data).toMatchObject({ balance, held });
    writeFileSync(join(folder, 'liability.json'), answer.text);
    const { code, out } = await alone('verify-liability', 'liability.json', '--key', publicKey);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Proved: wallet ${dollars.id} counts `) });
    writeFileSync(
      join(folder, 'changed.json'),
      answer.text.replace(`"balance":"${balance}"`, '"balance":"1.00000000"'),
    );
    const changed = await alone('verify-liability', 'changed.json', '--key', publicKey);
    expect(changed).toEqual({ code: 1, out: expect.stringMatching(/^NOT proved: /) });
    const listed = await auditJson<{ currencies: { currency: string; owed: string }[] }>(stack(), 'liabilities');
    expect(listed.code).toBe(0);
    const owed = listed.report.currencies.find(({ currency }) => currency === 'USD/test')?.owed;
    expect(Number(owed)).toBeGreaterThanOrEqual(Number(balance) + Number(held));
    const kept = ['--statement', join(folder, 'liability.json'), '--key', publicKey];
    const verified = await auditJson<{ liabilities: { verified: number; faults: unknown[] } }>(
      stack(),
      'verify',
      ...kept,
    );
    expect(verified.report.liabilities).toMatchObject({ faults: [] });
    expect(verified.report.liabilities.verified).toBeGreaterThanOrEqual(1);
    const fresh = await openWallet(merchant, { currency: 'CAD' });
    await eventually(
      'a new wallet is counted',
      async () => {
        const asked = await merchant.get(`/audit/liabilities/${fresh.id}`);
        if (asked.status === 409) expect(asked.body.code).toBe('proof_pending');
        return asked.status === 200;
      },
      { timeoutMs: 30_000 },
    );
  });

  it('are not found by another merchant', async () => {
    const otherMerchant = await newClient();
    await refusalOf(otherMerchant.get(`/audit/liabilities/${dollars.id}`), 404, 'not_found');
    for (const path of [`/audit/proofs/${payout.transaction_id}`, `/audit/transactions/${payout.transaction_id}`]) {
      await refusalOf(otherMerchant.get(path), 404, 'not_found');
    }
    await refusalOf(otherMerchant.get(`/audit/balances?wallet_id=${dollars.id}&as_of=1`), 404, 'not_found');
    await refusalOf(merchant.get('/audit/proofs/nonsense'), 404, 'not_found');
  });
});
