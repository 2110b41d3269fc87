import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { asRole, auditorUrl, createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { Hex, keccak256, toHex } from 'viem';
import { createAuditor } from '../auditor';
import { TABLES } from '../testing/audited-database';
import { AuditedChain } from '../testing/audited-chain';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { signLog } from '@stablecoin/ledger-log/testing/signed-log';
import { liabilitySignerOf, signLiabilitiesOf } from '../testing/signed-liabilities';

const UNIT = 1_000_000n;
const FUNDED = 1_000_000n;
const addressOf = (name: string): Hex => `0x${keccak256(toHex(name)).slice(-40)}`;
const PAYEE = addressOf('payee');
const THIEF = addressOf('thief');

jest.setTimeout(120_000);

let ledger: TestDatabase;
let chainDatabase: TestDatabase;
let owner: LedgerDatabase;
let chainOwner: Client;
let ethereum: AuditedChain;
let log: DrivenLog;
let wallet: string;
let address: Hex;

beforeAll(async () => {
  [ledger, chainDatabase] = await Promise.all([createTestDatabase('ledger'), createTestDatabase('chain')]);
  owner = new LedgerDatabase({ url: ledger.ownerUrl, applicationName: 'test', poolSize: 2 });
  for (const table of ['ledger_events', 'ledger_checkpoints', 'ledger_liabilities'])
    await owner.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_are_append_only`);
  chainOwner = new Client({ connectionString: chainDatabase.ownerUrl });
  await chainOwner.connect();
});
afterAll(async () => {
  await owner.$disconnect();
  await chainOwner.end();
  await Promise.all([ledger.drop(), chainDatabase.drop()]);
});

beforeEach(async () => {
  await chainOwner.query(
    'TRUNCATE walks, deposits, resolutions, outgoing_transfers, transfer_attempts, treasury_entries',
  );
  ethereum = await AuditedChain.start('erc20', chainOwner);
  log = new DrivenLog(0, (network, index) => addressOf(`${network}-${index}`));
  wallet = log.openWallet('USDT', 'erc20');
  address = [...log.state.wallets.values()][0]?.addresses[0]?.address as Hex;
});
afterEach(() => ethereum.stop());

/** Tokens that arrived, and the ledger knows of. */
async function deposited(coins: bigint, { confirmed = true } = {}): Promise<{ id: string; hash: Hex }> {
  const hash = await ethereum.deposit('USDT', address, coins * UNIT);
  const id = log.chainDeposit(wallet, String(coins), 'erc20', hash);
  await ethereum.recorded(hash, id);
  if (confirmed) log.deposited(id, 'ConfirmDeposit');
  return { id, hash };
}

/** A payout that has left; the ledger completes it unless it is still under way. */
async function paid(coins: bigint, { completed = true } = {}): Promise<string> {
  const id = log.holdPayout('USDT', String(coins), 'erc20');
  const hash = await ethereum.pay('USDT', id, PAYEE, coins * UNIT);
  if (completed) log.resolvePayout(id, 'COMPLETED', null, hash);
  return id;
}

const environment = (): NodeJS.ProcessEnv => ({
  AUDIT_DATABASE_URL: auditorUrl(ledger),
  CHAIN_AUDIT_DATABASE_URL: asRole(chainDatabase.ownerUrl, 'chain_auditor'),
  CHAIN_RPC_ERC20: ethereum.chain.rpcUrl,
  SOLVENCY_HOT_WALLETS: ethereum.hot.address,
});

/** The ledger as it is by now, signed; and the chain final. */
async function signed(): Promise<void> {
  await owner.$executeRawUnsafe(`TRUNCATE ${TABLES}`);
  await writeLog(owner, log);
  await signLiabilitiesOf(owner, [0]);
  await ethereum.settle();
}

/** As if its commands had been asked for with keys of this mode. @param from the first event that is */
function asks(mode: 'test' | 'live', from = 0): void {
  const asked = log.events.map((one, index) =>
    index >= from && one.group === one.position ? { ...one, asked_by: { service: 'gateway', mode } } : one,
  );
  log.events.splice(0, asked.length, ...asked);
}

async function run(args: string[], env = environment()) {
  const [stdout, stderr] = [new PassThrough({ highWaterMark: 1 << 24 }), new PassThrough()];
  const code = await createAuditor(env, stdout, stderr).run(['solvency', ...args]);
  const text = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
  return { code, out: text(stdout), err: text(stderr) };
}

/** Signs, runs it, and gives what it says of Tether on Ethereum. */
async function audited(args: string[] = [], env = environment()) {
  const { code, out, err } = await run([...args, '--json'], env);
  expect(err).toBe('');
  const report = JSON.parse(out);
  return { code, usdt: report.networks[0].tokens[0], coverage: report.currencies[0], report };
}

describe('audit solvency', () => {
  it('balances to the unit: put in, deposits, payouts, a sweep and fees', async () => {
    await deposited(500n);
    await ethereum.sweep('USDT', address, 400n * UNIT);
    await paid(200n);
    await signed();
    const { code, usdt, coverage, report } = await audited();
    expect({ code, findings: usdt.findings, unexplained: usdt.unexplained }).toEqual({
      code: 0,
      findings: [],
      unexplained: '0.000000',
    });
    expect(usdt).toMatchObject({
      currency: 'USDT',
      held: `${FUNDED + 300n}.000000`,
      put_in: { transfers: 1, amount: `${FUNDED}.000000` },
      booked: '300.000000',
    });
    // 500 came, 200 and their fee of 2.25 went; the fee is ours.
    expect(coverage).toMatchObject({ currency: 'USDT', covered: true, owed: '297.750000', held: usdt.held });
    expect(report.networks[0]).toMatchObject({ network: 'erc20', addresses: 2, block_hash: expect.any(String) });
    const text = await run([]);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(
      /booked through external:erc20:USDT +300\.000000[^]*Covered, and every unit explained\.\n$/,
    );
  });

  it('what is under way in either direction is listed, and balances', async () => {
    await deposited(500n);
    await deposited(40n, { confirmed: false });
    await ethereum.deposit('USDT', address, 7n * UNIT);
    await paid(200n, { completed: false });
    await signed();
    const { code, usdt } = await audited();
    expect(usdt).toMatchObject({
      booked: '500.000000',
      explained: {
        uncredited: { transfers: 2, amount: '47.000000' },
        paid: { transfers: 1, amount: '-200.000000' },
      },
      ordered: [{ kind: 'payout', state: 'sent', orders: 1, amount: '200.000000' }],
      findings: [],
    });
    expect(code).toBe(0);
  });

  it('what was booked after the checkpoint is as it was before', async () => {
    const { id } = await deposited(500n, { confirmed: false });
    const payout = async () => {
      log.deposited(id, 'ConfirmDeposit');
      await paid(100n);
    };
    await deposited(300n);
    await signed();
    const size = log.events.length;
    await payout();
    // The checkpoint stays where it was.
    await owner.$executeRawUnsafe(`TRUNCATE ${TABLES}`);
    await writeLog(owner, log, { signed: false });
    await signLog(owner, log.rows, [size]);
    await signLiabilitiesOf(owner, [0]);
    await ethereum.settle();
    const { code, usdt } = await audited();
    expect(usdt).toMatchObject({
      booked: '300.000000',
      explained: { uncredited: { amount: '500.000000' }, paid: { amount: '-100.000000' } },
      findings: [],
    });
    expect(code).toBe(0);
  });

  it('a payout completed and a deposit credited in a block that is not final are looked up there', async () => {
    await signed();
    await ethereum.chain.mine(1);
    await deposited(50n);
    await paid(20n);
    const walked = await chainOwner.query('SELECT tip_number FROM walks');
    await signed();
    await chainOwner.query('UPDATE walks SET tip_number = $1', [walked.rows[0].tip_number]);
    const { code, usdt } = await audited();
    expect(usdt).toMatchObject({
      held: `${FUNDED}.000000`,
      explained: { credited_later: { amount: '-50.000000' }, paid_later: { amount: '20.000000' } },
      findings: [],
    });
    expect(code).toBe(0);
  });

  it.each<[string, () => Promise<unknown>, string, RegExp]>([
    [
      'one unit stolen from the hot wallet',
      async () => ethereum.send('USDT', THIEF, 1n),
      '-0.000001',
      new RegExp(`^0x[0-9a-f]{64} to ${THIEF} left without a payout$`),
    ],
    [
      'a deposit that was credited and is not on the chain',
      async () => {
        const hash = keccak256(toHex('never'));
        const id = log.chainDeposit(wallet, '5', 'erc20', hash);
        await ethereum.seen('USDT', address, 5n * UNIT, hash);
        await ethereum.recorded(hash, id);
        log.deposited(id, 'ConfirmDeposit');
      },
      '-5.000000',
      /^the deposit address 0x[0-9a-f]{40} holds less/,
    ],
    [
      'a deposit that was credited twice',
      async () => {
        const { hash } = await deposited(30n);
        log.deposited(log.chainDeposit(wallet, '30', 'erc20', hash), 'ConfirmDeposit');
      },
      '-30.000000',
      /^deposit .* was credited, and is not on the chain$/,
    ],
    [
      'a payout that left twice',
      async () => {
        const id = await paid(60n);
        const { reference, ...row } = { reference: `again-${id}`, units: 60n * UNIT };
        await ethereum.pay('USDT', reference, PAYEE, row.units);
        // Only the owner of the tables can change what was ordered.
        await chainOwner.query('ALTER TABLE outgoing_transfers DISABLE TRIGGER transfers_keep_their_order');
        await chainOwner.query(`UPDATE outgoing_transfers SET reference = 'first' WHERE reference = $1`, [
          `payout-${id}`,
        ]);
        await chainOwner.query(`UPDATE outgoing_transfers SET reference = $1 WHERE reference = $2`, [
          ...[`payout-${id}`, `payout-${reference}`],
        ]);
        await chainOwner.query('ALTER TABLE outgoing_transfers ENABLE TRIGGER transfers_keep_their_order');
      },
      '-60.000000',
      /has left before$/,
    ],
    [
      'a payout that left, and whose money the wallet has back',
      async () => log.resolvePayout(await paid(60n, { completed: false }), 'FAILED'),
      '-60.000000',
      /which is FAILED$/,
    ],
    [
      'tokens at a deposit address that the watcher has not seen',
      async () => ethereum.chain.sendTokens('USDT', address, 3n),
      '0.000003',
      /^the deposit address 0x[0-9a-f]{40} holds more/,
    ],
  ])('%s: exit 1, to the unit', async (_, happens, amount, problem) => {
    await deposited(500n);
    await happens();
    await signed();
    const { code, usdt } = await audited();
    expect(usdt.findings).toEqual([{ amount, problem: expect.stringMatching(problem) }]);
    expect({ code, unexplained: usdt.unexplained }).toEqual({ code: 1, unexplained: amount });
    expect((await run([])).out).toMatch(/!! NOT explained: 1 difference between chain and ledger\.\n$/);
  });

  it('what we take out ourselves is named, or it is a finding', async () => {
    const hash = await ethereum.send('USDT', THIEF, 9n);
    await signed();
    expect((await audited()).code).toBe(1);
    const { code, usdt } = await audited(['--taken-out', hash]);
    expect({ code, taken: usdt.taken_out }).toEqual({ code: 0, taken: { transfers: 1, amount: '-0.000009' } });
  });

  it('more owed than held, by a swap, is not covered although every unit is explained', async () => {
    const usd = log.openWallet('USD');
    log.deposit(usd, '2000000');
    log.swap('USD', 'USDT', '1500000', '1');
    await signed();
    const { code, usdt, coverage } = await audited();
    expect(usdt.findings).toEqual([]);
    expect(coverage).toMatchObject({ covered: false, surplus: '-500000.000000' });
    expect(code).toBe(1);
    expect((await run([])).out).toMatch(/USDT: .*500000\.000000 MISSING[^]*!! NOT covered: USDT\.\n$/);
  });

  it('a decision in an operator’s name, of which no act says anything, is a finding', async () => {
    const { hash } = await deposited(5n);
    await chainOwner.query(
      `INSERT INTO resolutions (id, deposit_id, resolution, wallet_id, actor, reason)
       SELECT gen_random_uuid(), id, 'credit', $2::uuid, 'trent', 'case 7' FROM deposits WHERE transaction_hash = $1`,
      [Buffer.from(hash.slice(2), 'hex'), wallet],
    );
    await signed();
    expect(await audited()).toMatchObject({ code: 0, usdt: { decisions: [{ held_against_acts: false }] } });
    const file = join(mkdtempSync(join(tmpdir(), 'acts-')), 'acts.jsonl');
    writeFileSync(file, '');
    const { code, usdt } = await audited(['--acts', file]);
    const problem = expect.stringMatching(/by trent: case 7, and no act of operators says so$/) as unknown;
    expect({ code, findings: usdt.findings }).toEqual({ code: 1, findings: [{ amount: '0.000000', problem }] });
    expect((await run(['--acts', file])).out).toMatch(/decided by operators: 1\n.* trent: case 7 \(in NO act\)/);
  });

  it('what is owed where nothing was looked at is a finding, until it is stated or left out', async () => {
    const solana = log.openWallet('USDC', 'solana');
    log.deposited(log.chainDeposit(solana, '3000000', 'solana'), 'ConfirmDeposit');
    await signed();
    const said = async (...args: string[]) => {
      const { code, report } = await audited(args);
      const [{ network, currency, booked, open }] = report.not_looked_at;
      expect({ network, currency, booked }).toEqual({ network: 'solana', currency: 'USDC', booked: '3000000.000000' });
      return { code, open, ...report.currencies[1] };
    };
    const owed = { currency: 'USDC', owed: '3000000.000000', held: `${FUNDED}.000000` };
    const missing = { ...owed, code: 1, covered: false, surplus: '-2000000.000000', owed_elsewhere: '0.000000' };
    expect(await said()).toMatchObject({ ...missing, open: true, held_elsewhere: '0.000000' });
    expect(await run([])).toMatchObject({ code: 1, out: expect.stringMatching(/!! NOT looked at: solana\. .*\n$/) });
    expect(await said('--without', 'trc20')).toMatchObject({ ...missing, open: true });
    expect(await said('--without', 'solana')).toMatchObject({
      ...{
        ...owed,
        code: 0,
        covered: true,
        open: false,
        owed_elsewhere: '3000000.000000',
        surplus: `${FUNDED}.000000`,
      },
    });
    const enough = await said('--held-elsewhere', 'solana=2000000.5:USDC');
    expect(enough).toMatchObject({
      ...owed,
      code: 0,
      open: false,
      held_elsewhere: '2000000.500000',
      surplus: '0.500000',
    });
    expect(await said('--held-elsewhere', 'solana=1999999.99:USDC')).toMatchObject({
      ...{ code: 1, open: false, surplus: '-0.010000' },
    });
    const { out } = await run(['--held-elsewhere', 'solana=2000000:USDC']);
    expect(out).toMatch(
      /^solana: 3000000\.000000 USDC booked through it; 2000000\.000000 held there as stated, which/m,
    );
  });

  it('what is covered by what was seen is still not looked at where it is owed', async () => {
    const solana = log.openWallet('USDC', 'solana');
    log.deposited(log.chainDeposit(solana, '1', 'solana'), 'ConfirmDeposit');
    await signed();
    const { code, report } = await audited();
    expect({ code, covered: report.currencies[1].covered }).toEqual({ code: 1, covered: true });
  });

  it('play money of test merchants is left out when they are named', async () => {
    log.deposited(log.chainDeposit(wallet, '5', 'erc20'), 'ConfirmDeposit');
    await signed();
    expect((await audited()).code).toBe(1);
    const file = join(mkdtempSync(join(tmpdir(), 'solvency-')), 'merchants');
    writeFileSync(file, `${log.merchant_id}\n`);
    const { code, report } = await audited(['--test-merchants', file]);
    expect(report).toMatchObject({ left_out: [{ currency: 'USDT', owed: '5.000000' }] });
    expect({ code, owed: report.currencies[0].owed }).toEqual({ code: 0, owed: '0.000000' });
  });

  it('play money of test merchants is known by their keys in the log, and stands beside what is owed', async () => {
    await deposited(500n);
    log.deposited(log.chainDeposit(wallet, '5', 'erc20'), 'ConfirmDeposit');
    asks('live');
    await signed();
    const asLive = await audited();
    expect(asLive).toMatchObject({ code: 1, coverage: { owed: '505.000000' }, report: { left_out: [] } });
    asks('test');
    await signed();
    const { code, usdt, coverage, report } = await audited();
    expect({ code, coverage, left_out: report.left_out }).toMatchObject({
      ...{ code: 0, coverage: { owed: '0.000000', held: `${FUNDED + 500n}.000000` } },
      left_out: [{ currency: 'USDT', owed: '505.000000' }],
    });
    expect(usdt).toMatchObject({ booked: '0.000000', explained: { left_out: { transfers: 1, amount: '500.000000' } } });
    expect((await run([])).out).toContain('505.000000 USDT are owed to merchants left out: play money');
  });

  it('a merchant who has asked with keys of both modes counts as live', async () => {
    log.deposited(log.chainDeposit(wallet, '5', 'erc20'), 'ConfirmDeposit');
    asks('test');
    asks('live', 1);
    await signed();
    expect(await audited()).toMatchObject({ code: 1, coverage: { owed: '5.000000' }, report: { left_out: [] } });
  });

  it('two networks, one with 18 decimals: what is finer than the ledger is ours', async () => {
    const bnb = await AuditedChain.start('bep20', chainOwner);
    try {
      const other = log.openWallet('USDC', 'bep20');
      const to = [...log.state.wallets.values()].find(({ id }) => id === other)?.addresses[0]?.address as Hex;
      const hash = await bnb.deposit('USDC', to, 5n * 10n ** 18n + 123n);
      const id = log.chainDeposit(other, '5', 'bep20', hash);
      await bnb.recorded(hash, id);
      log.deposited(id, 'ConfirmDeposit');
      await deposited(10n);
      await signed();
      await bnb.settle();
      const env = {
        ...{ ...environment(), CHAIN_RPC_BEP20: bnb.chain.rpcUrl },
        SOLVENCY_HOT_WALLETS: [ethereum.hot.address, bnb.hot.address].join(),
      };
      const { code, report } = await audited([], env);
      expect(code).toBe(0);
      expect(report.networks[1].tokens[1]).toMatchObject({
        held: `${FUNDED + 5n}.000000000000000123`,
        booked: '5.000000',
        explained: { rest: { transfers: 1, amount: '0.000000000000000123' } },
      });
      await bnb.send('USDC', THIEF, 1n);
      await bnb.settle();
      const stolen = await audited([], env);
      expect(stolen).toMatchObject({ code: 1 });
      expect(stolen.report.networks[1].tokens[1].unexplained).toBe('-0.000000000000000001');
      expect((await audited(['--network', 'erc20'], env)).report.networks).toHaveLength(1);
    } finally {
      await bnb.stop();
    }
  });
});

describe('audit solvency does not guess', () => {
  const lying = (method: string, about: (result: unknown) => unknown) => ({
    methods: [method],
    fault: { kind: 'lies' as const, about },
  });

  it('asks a second node, and ends with 2 where it says another balance, or leaves out a transfer', async () => {
    await deposited(500n);
    await signed();
    const proxy = await NodeFaultProxy.inFrontOf(ethereum.chain.rpcUrl);
    try {
      const env = { ...environment(), CHAIN_RPC_ERC20: [ethereum.chain.rpcUrl, proxy.url].join() };
      expect(await audited([], env)).toMatchObject({ code: 0 });
      for (const rule of [
        lying('eth_call', () => toHex(1, { size: 32 })),
        lying('eth_getLogs', (result) => (result as unknown[]).slice(1)),
      ]) {
        proxy.inject(rule);
        expect(await run([], env)).toMatchObject({
          code: 2,
          out: '',
          err: expect.stringMatching(/^erc20: .*disagree|^erc20: .*decimals/),
        });
      }
    } finally {
      await proxy.close();
    }
  });

  it('asks about fewer blocks where a node answers about so many only, and again where it is throttled', async () => {
    await deposited(500n);
    await paid(100n);
    await signed();
    const proxy = await NodeFaultProxy.inFrontOf(ethereum.chain.rpcUrl);
    try {
      const isWide = ([filter]: readonly unknown[]) => {
        const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
        return Number(toBlock) - Number(fromBlock) >= 3;
      };
      proxy.inject(
        {
          methods: ['eth_getLogs'],
          where: isWide,
          fault: { kind: 'error', code: -32602, message: 'block range exceeds limit' },
        },
        { methods: ['eth_call'], ofTen: 3, fault: { kind: 'error', code: -32005, message: 'too many requests' } },
      );
      expect(await audited([], { ...environment(), CHAIN_RPC_ERC20: proxy.url })).toMatchObject({ code: 0 });
      expect(proxy.happened.get('error')).toBeGreaterThan(2);
    } finally {
      await proxy.close();
    }
  });

  it('a first block that is too late shows as a finding', async () => {
    await signed();
    const { usdt, code } = await audited(['--from', 'erc20:8']);
    expect({ code, amount: usdt.unexplained }).toEqual({ code: 1, amount: `${FUNDED}.000000` });
  });

  it('believes a statement only under a key that is trusted, and only where the tables say the same', async () => {
    await deposited(500n);
    await signed();
    const other = liabilitySignerOf(7).verifierKey;
    const refused = expect.stringMatching(/^Statement 1 is not believed: no valid signature/);
    expect(await run(['--key', other])).toMatchObject({ code: 1, out: '', err: refused });
    expect(await run(['--key', liabilitySignerOf().verifierKey])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/checkpoint/),
    });
    await owner.$executeRaw`UPDATE account_balances SET balance = balance - 1 WHERE account_id = ${wallet}`;
    expect(await run([])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/it says that 500\.00000000 USDT are owed/),
    });
  });

  it.each<[string, string[], () => NodeJS.ProcessEnv, RegExp]>([
    [
      'without nodes',
      [],
      () => ({ ...environment(), CHAIN_RPC_ERC20: '' }),
      /^There are no nodes to ask: set CHAIN_RPC_ERC20/,
    ],
    [
      'of a network without nodes',
      ['--network', 'bep20'],
      environment,
      /^There are no nodes of bep20: set CHAIN_RPC_BEP20/,
    ],
    ['with one node twice', [], () => ({ ...environment(), CHAIN_RPC_ERC20: 'http://a,http://a' }), /different nodes/],
    [
      'without the hot wallet',
      [],
      () => ({ ...environment(), SOLVENCY_HOT_WALLETS: '' }),
      /^The hot wallet is not named/,
    ],
    [
      'with another hot wallet',
      ['--hot', THIEF],
      environment,
      /transfers leave 0x[0-9a-f]{40}, which --hot does not name/,
    ],
    ['with no address', ['--hot', 'me'], environment, /40 hex digits/],
    ['with no network', ['--network', 'solana'], environment, /one of erc20, bep20, polygon/],
    ['with a statement of nothing', ['--held-elsewhere', 'solana=5'], environment, /such as solana=3000000:USDC/],
    ['with one of a network with nodes', ['--held-elsewhere', 'erc20=5:USDT'], environment, /erc20 has nodes/],
    ['without a network that has nodes', ['--without', 'erc20'], environment, /erc20 has nodes/],
    [
      'with a statement of what is left out',
      ['--without', 'solana', '--held-elsewhere', 'solana=5:USDT'],
      environment,
      /solana is left out, and stated as well/,
    ],
    [
      'with two statements of one thing',
      ['--held-elsewhere', 'solana=5:USDT', '--held-elsewhere', 'solana=6:USDT'],
      environment,
      /on solana in USDT is stated twice/,
    ],
    ['with no place', ['--from', 'erc20'], environment, /erc20:21000000/],
    ['with a file that is not there', ['--test-merchants', '/nowhere'], environment, /ENOENT/],
    [
      'with a node of another chain',
      [],
      () => ({ ...environment(), CHAIN_RPC_ERC20: '', CHAIN_RPC_POLYGON: ethereum.chain.rpcUrl }),
      /it is a node of chain 1, and polygon is Polygon, chain 137/,
    ],
    [
      'with a node that is away',
      [],
      () => ({ ...environment(), CHAIN_RPC_ERC20: 'http://127.0.0.1:1' }),
      /^erc20: .*unreachable/,
    ],
    [
      'without the chain service’s database',
      [],
      () => ({ ...environment(), CHAIN_AUDIT_DATABASE_URL: '' }),
      /^No database of the chain service named: set CHAIN_AUDIT_DATABASE_URL/,
    ],
    [
      'with one that is away',
      [],
      () => ({ ...environment(), CHAIN_AUDIT_DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/chain' }),
      /^127\.0\.0\.1:1\/chain \(CHAIN_AUDIT_DATABASE_URL\) can't be read/,
    ],
  ])('%s: exit 2', async (_, args, env, message) => {
    await paid0();
    await signed();
    expect(await run(args, env())).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) });
  });

  async function paid0(): Promise<void> {
    await deposited(10n);
    await paid(1n);
  }

  it('reads the chain service’s database as a role that reads no signed bytes and writes nothing', async () => {
    const reader = new Client({ connectionString: asRole(chainDatabase.ownerUrl, 'chain_auditor') });
    await reader.connect();
    try {
      await expect(reader.query('SELECT raw FROM transfer_attempts')).rejects.toThrow(/permission denied/);
      await expect(reader.query('SELECT * FROM wallets')).rejects.toThrow(/permission denied/);
      await expect(reader.query('UPDATE deposits SET booked = booked')).rejects.toThrow(/permission denied/);
    } finally {
      await reader.end();
    }
  });
});
