// The service as it is deployed, asked over the bus: what it signs is taken apart by viem and mined by a real node; it is
// killed while it signs; what it prints is searched for what must not be there.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import { tokenOf } from '@stablecoin/chains/tokens';
import { describeSigner } from '@stablecoin/contracts/signer/describe';
import type { SignedTransfer, SignTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { signTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { BuiltService } from '@stablecoin/testing/built-service';
import { startChain } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { testNatsUrl } from '@stablecoin/testing/nats';
import type { NatsConnection } from 'nats';
import { keccak256, parseTransaction } from 'viem/utils';
import { recoverTransactionAddress } from 'viem';
import { Journal } from '../journal/journal';
import { DEPOSIT_PATH, HOT_PATH } from '../keys/public-keys';
import { KMS_TOKEN, KmsStandIn } from '../testing/kms-stand-in';
import {
  CANCEL,
  COLD,
  depositAddress,
  depositSender,
  feesOf,
  GAS,
  HOT,
  OTHER_PAYEE,
  PAYEE,
  payout,
  requestOf,
  SEED,
  SWEEP,
  TO_COLD,
} from '../testing/requests';
import { BUS_KEY, settingsIn } from '../testing/settings';

const KILLS = 4;
const CALLERS = 4;

let connection: NatsConnection;
let bus: BusClient;
let directory: string;
let signer: BuiltService | undefined;
let printed = '';

beforeAll(async () => {
  connection = await connectToBus(testNatsUrl(), 'signer-spec');
  bus = new BusClient(connection, new SealedCodec(BUS_KEY));
});
afterAll(() => connection.close());
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'signer-'))));
afterEach(async () => {
  await signer?.kill();
  printed += signer?.output ?? '';
  signer = undefined;
  rmSync(directory, { recursive: true });
});

async function start(settings: Record<string, string> = {}): Promise<BuiltService> {
  signer = await BuiltService.start('signer', { ...settingsIn(directory), ...settings });
  return signer;
}

const sign = (changes: Partial<SignTransfer> = {}): Promise<SignedTransfer> =>
  bus.call(signTransfer, requestOf(changes));

/** The field and the reason of a refusal, or the transaction's hash. */
const answerTo = (changes: Partial<SignTransfer>) =>
  sign(changes).then(
    ({ hash }) => hash,
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return [error.code, ...(error.fields ?? []).map(({ field, code }) => `${field} ${code}`)].join(': ');
    },
  );

const transferCall = (to: string, units: string) =>
  `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${BigInt(units).toString(16).padStart(64, '0')}`;

const contractOf = (network: EvmNetwork, currency: 'USDT' | 'USDC') =>
  tokenOf(network, currency)?.address.toLowerCase();

describe('what it signs', () => {
  const cases: [string, Partial<SignTransfer>, string, object][] = [
    ['a payout', {}, HOT, { to: contractOf('erc20', 'USDT'), data: transferCall(PAYEE, '1000000') }],
    [
      'a sweep on Polygon',
      { network: 'polygon', from: depositSender(9), movement: SWEEP },
      depositAddress(9),
      { to: contractOf('polygon', 'USDC'), data: transferCall(HOT, '25000000') },
    ],
    [
      'a transfer to the cold address on BNB Smart Chain',
      { network: 'bep20', movement: TO_COLD },
      HOT,
      { to: contractOf('bep20', 'USDT'), data: transferCall(COLD, '900000000000') },
    ],
    ['gas', { nonce: 1, movement: GAS }, HOT, { to: depositAddress(7).toLowerCase(), value: 2_000_000_000_000_000n }],
    ['a cancellation', { nonce: 2, movement: CANCEL }, HOT, { to: HOT.toLowerCase() }],
  ];

  it('is what was asked for, field by field, by the key that it says, under its own hash', async () => {
    await start();
    for (const [, asked, from, expected] of cases) {
      const { network, nonce, gas, max_fee_per_gas, max_priority_fee_per_gas } = requestOf(asked);
      const signed = await sign(asked);
      const { r: _r, s: _s, v: _v, yParity: _y, to, ...fields } = parseTransaction(signed.raw);
      expect({ ...fields, to: to?.toLowerCase() }).toEqual({
        type: 'eip1559',
        chainId: CHAINS[network].chainId,
        gas: BigInt(gas),
        maxFeePerGas: BigInt(max_fee_per_gas),
        maxPriorityFeePerGas: BigInt(max_priority_fee_per_gas),
        nonce,
        ...expected,
      });
      expect(signed.from).toBe(from);
      expect(await recoverTransactionAddress({ serializedTransaction: signed.raw as `0x02${string}` })).toBe(from);
      expect(signed.hash).toBe(keccak256(signed.raw));
    }
  });

  it('is mined by a real node', async () => {
    await start();
    const chain = await startChain({ hotWallet: HOT });
    try {
      const transfers = [await sign({ nonce: 0, movement: GAS }), await sign({ nonce: 1 })];
      for (const { raw, hash } of transfers) expect(await chain.call('eth_sendRawTransaction', raw)).toBe(hash);
      for (const { hash } of transfers) {
        const receipt = await eventually('it is in a block', async () => (await chain.receiptOf(hash)) ?? undefined);
        expect(receipt).toMatchObject({ status: '0x1', from: HOT.toLowerCase(), transactionHash: hash });
      }
      expect(await chain.call('eth_getBalance', depositAddress(7), 'latest')).toBe('0x71afd498d0000');
    } finally {
      await chain.stop();
    }
  });

  it('is nothing without caps', async () => {
    await start({ SIGNER_PAYOUT_CAPS: '', SIGNER_GAS_CAPS: '', SIGNER_FEE_CAPS: '', SIGNER_FEE_PER_GAS_CAPS: '' });
    for (const movement of [payout({ units: '1' }), TO_COLD, GAS, CANCEL])
      expect(await answerTo({ movement })).toBe('validation_failed: max_fee_per_gas fee_per_gas_above_cap');
  });
});

it('a refusal names its field and reason, is counted by reason, and logged with the request, without the payee', async () => {
  const running = await start();
  await sign();
  expect(await answerTo({ movement: payout({ to: OTHER_PAYEE }), ...feesOf(30n, 3n) })).toBe(
    'validation_failed: nonce nonce_used',
  );
  expect(await running.metric('signer_refusals_total', 'reason="nonce_used"')).toBe(1);
  expect(await running.metric('signer_refusals_total', 'reason="own_address"')).toBe(0);
  expect(await running.metric('signer_signatures_total', 'network="erc20",movement="payout"')).toBe(1);
  expect(await running.metric('signer_daily_cap_used_ratio', 'network="erc20",of="USDT"')).toBe(0.0004);
  const line = running.lines.find(({ message }) => message === 'refused to sign');
  expect(line).toMatchObject({ level: 'warn', reason: 'nonce_used', field: 'nonce', network: 'erc20', from: 'hot' });
  expect(line?.['request_id']).toMatch(/^[0-9a-f-]{36}$/);
});

it('what is not well formed reaches no rule, and is counted from the first one on', async () => {
  const running = await start();
  const refused = () => running.metric('bus_refusals_total', 'subject="signer.sign-transfer",code="validation_failed"');
  expect(await refused()).toBe(0);
  const malformed: [object, string][] = [
    [{ movement: { kind: 'approve', currency: 'USDT', to: PAYEE, units: '1' } }, 'movement.kind'],
    [{ movement: payout({ units: '-1' }) }, 'movement.units'],
    [{ movement: payout({ units: 1 }) }, 'movement.units'],
    [{ movement: payout({ units: '0' }) }, 'movement.units'],
    [{ movement: payout({ to: PAYEE.replace('fB', 'Fb') }) }, 'movement.to'],
    [{ movement: payout({ data: '0x095ea7b3' }) }, 'movement.data'],
    [{ movement: { ...SWEEP, to: PAYEE }, from: depositSender(1) }, 'movement.to'],
    [{ network: 'trc20' }, 'network'],
    [{ from: { kind: 'cold' } }, 'from.kind'],
    [{ from: { kind: 'hot', index: 1 } }, 'from.index'],
    [{ from: [{ kind: 'hot' }] }, 'from'],
    [{ movement: [payout()] }, 'movement'],
    [{ movement: { kind: '__proto__' } }, 'movement.kind'],
    [{ movement: { ...TO_COLD, to: PAYEE } }, 'movement.to'],
    [{ movement: { ...CANCEL, wei: '1' } }, 'movement.wei'],
    [{ movement: payout({ currency: 'ETH' }) }, 'movement.currency'],
    [{ movement: payout({ to: `${PAYEE}00` }) }, 'movement.to'],
    [{ movement: payout({ units: '1'.repeat(31) }) }, 'movement.units'],
    [{ from: depositSender(2 ** 31) }, 'from.index'],
    [{ gas: 2_000_000 }, 'gas'],
    [{ max_fee_per_gas: '1e9' }, 'max_fee_per_gas'],
    [{ nonce: -1 }, 'nonce'],
    [{ chain_id: 5 }, 'chain_id'],
  ];
  for (const [changes, field] of malformed)
    expect(await answerTo(changes as Partial<SignTransfer>)).toMatch(new RegExp(`^validation_failed: .*${field} `));
  expect(running.lines.filter(({ message }) => message === 'refused to sign')).toEqual([]);
  expect(await refused()).toBe(malformed.length);
  expect(await running.metric('signer_signatures_total', 'network="erc20",movement="payout"')).toBe(0);
});

it('says when it begins a new journal, because of keys in use that would be a wrong one', async () => {
  const begins = ({ lines }: BuiltService) =>
    lines.filter(
      ({ level, message }) => level === 'warn' && String(message).startsWith(`a new journal begins in ${directory}`),
    );
  expect(begins(await start())).toHaveLength(1);
  await signer?.kill('SIGTERM');
  expect(begins(await start())).toEqual([]);
});

it('it describes what is public of its keys, and logs the hot wallet', async () => {
  const running = await start();
  expect(running.lines).toContainEqual(expect.objectContaining({ message: 'hot wallet', address: HOT, cold: COLD }));
  expect(await bus.call(describeSigner, { solana_count: 2 })).toMatchObject({
    hot: { erc20: HOT, bep20: HOT, polygon: HOT },
    cold: COLD,
    evm_parent: expect.stringMatching(/^xpub/),
    tron_parent: expect.stringMatching(/^xpub/),
    solana: [expect.any(String), expect.any(String)],
  });
});

it('killed while it signs, it answers the same again for every answer that it gave, and pays no other', async () => {
  const answered = new Map<number, SignedTransfer>();
  let next = 0;
  const request = (nonce: number): Partial<SignTransfer> => ({
    nonce,
    gas: 21_000,
    movement: payout({ units: '1000' }),
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = await start();
    let isUp = true;
    const until = answered.size + 2 + 3 * kill;
    const caller = async () => {
      while (isUp) {
        const nonce = next++;
        const signed = await sign(request(nonce)).catch(() => undefined);
        if (signed) answered.set(nonce, signed);
        if (answered.size >= until && isUp) {
          isUp = false;
          await running.kill();
        }
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }
  await start();
  expect(answered.size).toBeGreaterThan(KILLS * 2);
  for (const [nonce, signed] of answered) {
    expect(await sign(request(nonce))).toEqual(signed);
    expect(await answerTo({ ...request(nonce), movement: payout({ to: OTHER_PAYEE }), ...feesOf(50n, 5n) })).toBe(
      'validation_failed: nonce nonce_used',
    );
  }
}, 120_000);

it('what was spent counts on after a restart', async () => {
  const half = payout({ units: '900000000' });
  await start();
  await sign({ nonce: 0, movement: half });
  await sign({ nonce: 1, movement: half });
  await signer?.kill('SIGTERM');
  await start();
  expect(await answerTo({ nonce: 2, movement: half })).toBe('validation_failed: movement.units amount_above_daily_cap');
});

describe('an outside signer', () => {
  it('makes signatures that are as good, and only once each', async () => {
    const kms = await KmsStandIn.start(SEED);
    const settings = {
      SIGNER_KEYS: 'http',
      SIGNER_SEED: '',
      SIGNER_HTTP_URL: kms.url,
      SIGNER_HTTP_TOKEN: KMS_TOKEN,
      SIGNER_HTTP_HOT_PUBLIC_KEY: kms.publicKey(`${HOT_PATH}/0`).toString('hex'),
      SIGNER_HTTP_DEPOSIT_PARENT: kms.parent(DEPOSIT_PATH),
    };
    await start(settings);
    const signed = await sign();
    const swept = await sign({ from: depositSender(3), movement: SWEEP });
    expect(await recoverTransactionAddress({ serializedTransaction: signed.raw as `0x02${string}` })).toBe(HOT);
    expect(swept.from).toBe(depositAddress(3));
    expect(kms.asked).toHaveLength(2);
    await signer?.kill();
    await start(settings);
    // Its signatures are drawn anew each time: the journal has the one that was given out.
    expect(await sign()).toEqual(signed);
    expect(kms.asked).toHaveLength(2);
    kms.disturbance = { otherKey: `${HOT_PATH}/1` };
    expect(await answerTo({ nonce: 1 })).toBe('internal_error');
    kms.disturbance = {};
    expect(await answerTo({ nonce: 1, movement: payout({ to: OTHER_PAYEE }) })).toMatch(/^0x/);
    await kms.stop();
  });
});

describe('it does not start, and says why in one line,', () => {
  const lastWords = async (settings: Record<string, string> = {}) => {
    const failed = BuiltService.launch('signer', { ...settingsIn(directory), ...settings });
    expect(await failed.ended).toBe(1);
    printed += failed.output;
    const words = failed.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(words).toHaveLength(1);
    return words[0];
  };

  it('beside another one on its journal', async () => {
    await start();
    expect(await lastWords()).toBe(
      `signer could not start: SIGNER_JOURNAL_DIRECTORY: another signer works with ${directory}; ` +
        'end it first, or give this one a folder and keys of its own.',
    );
  });

  it('on a journal that was changed', async () => {
    await start();
    await sign();
    await signer?.kill();
    const journal = join(directory, 'journal');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"nonce":0', '"nonce":1'));
    expect(await lastWords()).toContain('was changed: line 2 is not as it was written');
  });

  it('on the journal of another seed', async () => {
    await start();
    await signer?.kill();
    expect(await lastWords({ SIGNER_SEED: 'ab'.repeat(64) })).toContain('is of other keys (xpub');
  });

  it('with a clock behind its journal', async () => {
    await start();
    await signer?.kill('SIGTERM');
    // A line of next year, by the rules of the journal.
    const journal = await Journal.open({
      directory,
      of: HDKey.fromMasterSeed(SEED).derive(DEPOSIT_PATH).wipePrivateData().publicExtendedKey,
      onEntry: () => undefined,
    });
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const fees = { gas: 21_000, max_fee_per_gas: '1', max_priority_fee_per_gas: '0' };
    const of = {
      network: 'erc20',
      movement: 'cancel',
      index: null,
      from: HOT,
      nonce: 0,
      currency: null,
      to: HOT,
      amount: '0',
    };
    await journal.append({ at, ...of, ...fees, hash: '0x', r: '0x', s: '0x', y_parity: 0 });
    await journal.close();
    expect(await lastWords()).toContain(
      `the last line of the journal is of ${at}, after this machine's time: set the clock`,
    );
  });

  it.each([
    [{ SIGNER_SEED: '' }, 'SIGNER_SEED: expected it to be set, because SIGNER_KEYS is seed.'],
    [{ SIGNER_KEYS: 'http' }, 'SIGNER_SEED is set, and the keys are with an outside signer'],
    [{ SIGNER_KEYS: 'http', SIGNER_SEED: '' }, 'SIGNER_HTTP_URL: expected it to be set, because SIGNER_KEYS is http.'],
    [{ SIGNER_COLD_ADDRESS: HOT }, 'SIGNER_COLD_ADDRESS is the hot wallet: name an address whose key is kept offline.'],
    [
      { SIGNER_COLD_ADDRESS: COLD.toLowerCase() },
      'SIGNER_COLD_ADDRESS: expected an EVM address in upper and lower case',
    ],
    [
      { SIGNER_COLD_ADDRESS: COLD.replace('5aA', '5AA') },
      'SIGNER_COLD_ADDRESS: expected an EVM address in upper and lower',
    ],
    [
      { SIGNER_COLD_ADDRESS: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
      'SIGNER_COLD_ADDRESS: expected an EVM address',
    ],
    [{ SIGNER_PAYOUT_CAPS: 'erc20:USDT=lots' }, 'SIGNER_PAYOUT_CAPS: expected entries like erc20:USDT=10000/250000'],
    [{ SIGNER_SEED: 'ab'.repeat(32) }, 'SIGNER_SEED: expected 64 bytes in hex'],
  ])('with %j', async (settings, words) => expect(await lastWords(settings)).toContain(words));
});

it('a journal that takes no entry makes it not ready, and nothing is signed', async () => {
  const running = await start();
  await sign();
  // Another process writes, past the lock.
  appendFileSync(join(directory, 'journal'), 'x\n');
  expect(await answerTo({ nonce: 1 })).toBe('internal_error');
  const ready = await fetch(`${running.operationsUrl}/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain('took no entry: see the log, then restart');
  expect(await answerTo({ nonce: 2 })).toBe('unavailable');
});

it('nothing that it printed above has the seed, a private key, or a payee', () => {
  const master = HDKey.fromMasterSeed(SEED);
  const secrets = [`${HOT_PATH}/0`, ...[0, 1, 3, 7, 9].map((index) => `${DEPOSIT_PATH}/${index}`)].flatMap((path) => {
    const privateKey = Buffer.from(master.derive(path).privateKey ?? []);
    expect(privateKey).toHaveLength(32);
    return [privateKey.toString('hex'), privateKey.toString('base64')];
  });
  expect(printed.length).toBeGreaterThan(10_000);
  const forbidden = [
    SEED.toString('hex'),
    SEED.toString('base64').slice(0, 60),
    'xprv',
    ...secrets,
    PAYEE,
    OTHER_PAYEE,
    KMS_TOKEN,
  ];
  expect(forbidden.filter((text) => printed.toLowerCase().includes(text.toLowerCase()))).toEqual([]);
});
