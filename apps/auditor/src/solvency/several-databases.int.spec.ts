/** Solvency of a ledger whose only shard is on another database than the statement, which has a copy of its beginning. */
import { PassThrough } from 'node:stream';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { asRole, auditorUrl, createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { Hex, keccak256, toHex } from 'viem';
import { createAuditor } from '../auditor';
import { AuditedChain } from '../testing/audited-chain';
import { signLiabilitiesOf } from '../testing/signed-liabilities';

jest.setTimeout(120_000);

const UNIT = 1_000_000n;
const addressOf = (name: string): Hex => `0x${keccak256(toHex(name)).slice(-40)}`;

let files: { home: TestDatabase; b: TestDatabase; chain: TestDatabase };
let home: LedgerDatabase;
let b: LedgerDatabase;
let chainOwner: Client;
let ethereum: AuditedChain;

beforeAll(async () => {
  const [ofHome, ofB, ofChain] = await Promise.all([
    createTestDatabase('ledger'),
    createTestDatabase('ledger'),
    createTestDatabase('chain'),
  ]);
  files = { home: ofHome, b: ofB, chain: ofChain };
  home = new LedgerDatabase({ url: ofHome.ownerUrl, applicationName: 'test', poolSize: 2 });
  b = new LedgerDatabase({ url: ofB.ownerUrl, applicationName: 'test', poolSize: 2 });
  chainOwner = new Client({ connectionString: ofChain.ownerUrl });
  await chainOwner.connect();
  ethereum = await AuditedChain.start('erc20', chainOwner);
});
afterAll(async () => {
  await ethereum.stop();
  await Promise.all([home.$disconnect(), b.$disconnect(), chainOwner.end()]);
  await Promise.all(Object.values(files).map((one) => one.drop()));
});

it('balances to the unit, and counts nothing twice that was left behind', async () => {
  const log = new DrivenLog(0, (network, index) => addressOf(`${network}-${index}`));
  const wallet = log.openWallet('USDT', 'erc20');
  const address = [...log.state.wallets.values()][0]?.addresses[0]?.address as Hex;
  const deposited = await ethereum.deposit('USDT', address, 500n * UNIT);
  const id = log.chainDeposit(wallet, '500', 'erc20', deposited);
  await ethereum.recorded(deposited, id);
  log.deposited(id, 'ConfirmDeposit');
  await writeLog(home, log);
  const payout = log.holdPayout('USDT', '200', 'erc20');
  log.resolvePayout(payout, 'COMPLETED', null, await ethereum.pay('USDT', payout, addressOf('payee'), 200n * UNIT));
  await writeLog(b, log);
  await home.$executeRaw`UPDATE ledger_shards SET moved_to = 'b'`;
  await signLiabilitiesOf(home, [0], { others: [{ database: b, shards: [0] }] });
  await ethereum.settle();

  const [stdout, stderr] = [new PassThrough({ highWaterMark: 1 << 24 }), new PassThrough()];
  const env = {
    AUDIT_DATABASE_URL: auditorUrl(files.home),
    AUDIT_DATABASES: `b=${auditorUrl(files.b)}`,
    CHAIN_AUDIT_DATABASE_URL: asRole(files.chain.ownerUrl, 'chain_auditor'),
    CHAIN_RPC_ERC20: ethereum.chain.rpcUrl,
    SOLVENCY_HOT_WALLETS: ethereum.hot.address,
  };
  const code = await createAuditor(env, stdout, stderr).run(['solvency', '--json']);
  const report = JSON.parse(String(stdout.read())) as {
    networks: { tokens: unknown[] }[];
    currencies: unknown[];
  };
  expect(code).toBe(0);
  // 500 came, 200 and their fee of 2.25 went; the fee is ours.
  expect(report.networks[0]?.tokens[0]).toMatchObject({ currency: 'USDT', booked: '300.000000', findings: [] });
  expect(report.currencies[0]).toMatchObject({ currency: 'USDT', covered: true, owed: '297.750000' });
});
