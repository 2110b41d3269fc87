// What every implementation of TransactionKeys promises, on each of them; then what is particular to one.

import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { secp256k1 } from '@noble/curves/secp256k1';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { recoverAddress } from 'viem/utils';
import { KMS_TOKEN, KmsStandIn } from '../testing/kms-stand-in';
import { HOT, SEED } from '../testing/requests';
import { OutsideKeys } from './outside-keys';
import { DEPOSIT_PATH, HOT_PATH } from './public-keys';
import { SeedKeys } from './seed-keys';
import type { KeyName, TransactionKeys } from './transaction-keys';

const ORDER_HALF = secp256k1.Point.Fn.ORDER >> 1n;
const NAMES: KeyName[] = ['hot', 0, 1, 1_000, 2 ** 31 - 1];
const addresses = new DepositAddresses(SEED);
let kms: KmsStandIn;

beforeAll(async () => (kms = await KmsStandIn.start(SEED)));
afterAll(() => kms.stop());
beforeEach(() => (kms.disturbance = {}));

const outside = (changes: object = {}) =>
  new OutsideKeys({
    ...{ url: kms.url, token: KMS_TOKEN, timeoutMs: 500, hotIndex: 0 },
    ...{ hotPublicKey: kms.publicKey(`${HOT_PATH}/0`), depositParent: kms.parent(DEPOSIT_PATH) },
    ...changes,
  });

describe.each<[string, () => TransactionKeys]>([
  ['derived from the seed', () => new SeedKeys(Buffer.from(SEED), 0)],
  ['of an outside signer', () => outside()],
])('keys %s', (_, make) => {
  it('have the addresses that libs/addresses derives, and the hot wallet of BIP-44', () => {
    const keys = make();
    for (const index of NAMES.slice(1) as number[])
      expect(keys.depositAddress(index)).toBe(addresses.derive('erc20', index));
    expect(keys.hot).toBe(HOT);
    expect(keys.evmParent).toBe(kms.parent(DEPOSIT_PATH));
  });

  it.each(NAMES)('sign any digest as %s: low s, and the parity that recovers the address', async (name) => {
    const keys = make();
    const address = name === 'hot' ? keys.hot : keys.depositAddress(name);
    for (let time = 0; time < 12; time += 1) {
      const digest = randomBytes(32);
      const { r, s, yParity } = await keys.sign(name, digest);
      expect([r, s].map((scalar) => scalar.length)).toEqual([66, 66]);
      expect(BigInt(s) <= ORDER_HALF).toBe(true);
      expect(await recoverAddress({ hash: digest, signature: { r, s, yParity } })).toBe(address);
    }
  });
});

describe('keys derived from the seed', () => {
  it('sign a digest always alike (RFC 6979)', async () => {
    const [one, other] = [new SeedKeys(Buffer.from(SEED), 0), new SeedKeys(Buffer.from(SEED), 0)];
    const digest = randomBytes(32);
    expect(await one.sign(3, digest)).toEqual(await other.sign(3, digest));
  });

  it('wipe the seed, and show no key when they are printed', () => {
    const seed = Buffer.from(SEED);
    const keys = new SeedKeys(seed, 0);
    expect(seed.every((byte) => byte === 0)).toBe(true);
    const printed = `${JSON.stringify(keys)} ${inspect(keys, { depth: 8, showHidden: true })}`;
    expect(printed).not.toMatch(/xprv|privKey|privateKey|5e 5e 5e 5e|5e5e5e5e/);
  });

  it('have as many hot wallets as are asked for', () => {
    expect(new SeedKeys(Buffer.from(SEED), 1).hot).not.toBe(HOT);
  });

  it('tell the public parent of Tron and the addresses of Solana', () => {
    const { other } = new SeedKeys(Buffer.from(SEED), 0);
    expect(other.tronParent).toBe(kms.parent(`m/44'/195'/0'/0`));
    expect(other.solanaAddresses(2, 2)).toEqual([2, 3].map((index) => addresses.derive('solana', index)));
  });
});

describe('an outside signer', () => {
  const digest = randomBytes(32);
  const failure = (keys: TransactionKeys = outside()) =>
    keys.sign('hot', digest).then(String, (error: unknown) => error);

  it('is sent the name of the key, the digest and the token, and may answer with either s', async () => {
    await outside().sign(7, digest);
    expect(kms.asked.at(-1)).toEqual({
      authorization: `Bearer ${KMS_TOKEN}`,
      key: `${DEPOSIT_PATH}/7`,
      digest: digest.toString('base64'),
      algorithm: 'ECDSA_SECP256K1',
      digest_type: 'PREHASHED',
    });
    await outside({ hotIndex: 0 }).sign('hot', digest);
    expect(kms.asked.at(-1)?.key).toBe(`${HOT_PATH}/0`);
    // Of the signatures above some had the higher s, and some a zero in front.
    expect(kms.high).toBeGreaterThan(5);
    expect(kms.padded).toBeGreaterThan(5);
  });

  it('is not believed when it signs with another key, or another digest', async () => {
    kms.disturbance = { otherKey: `${HOT_PATH}/1` };
    expect(await failure()).toEqual(new Error('A signature is not by the key that was asked for'));
    kms.disturbance = { otherDigest: true };
    expect(await failure()).toEqual(new Error('A signature is not by the key that was asked for'));
  });

  it.each([
    ['no JSON', 'oh'],
    ['no signature', '{}'],
    ['an empty one', '{"signature":""}'],
    ['no DER', `{"signature":"${Buffer.alloc(70, 7).toString('base64')}"}`],
    ['64 bytes without DER', `{"signature":"${Buffer.alloc(64, 1).toString('base64')}"}`],
    ['a zero for r', `{"signature":"${Buffer.from('300602010002010a', 'hex').toString('base64')}"}`],
    ['a negative s', `{"signature":"${Buffer.from('3006020101020181', 'hex').toString('base64')}"}`],
    ['bytes behind it', `{"signature":"${Buffer.from('300602010102010100', 'hex').toString('base64')}"}`],
  ])('is not taken at its word when it answers %s', async (_, text) => {
    kms.disturbance = { text };
    const error = await failure();
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(Refusal);
  });

  it.each([
    ['says that it can not', { status: 500 }],
    ['does not know the token', { status: 403 }],
    ['sends elsewhere', { status: 307 }],
    ['says nothing', { silent: true }],
    ['says too much', { text: `{"signature":"${'A'.repeat(5_000)}"}` }],
  ])('that %s makes the request unavailable, nothing executed', async (_, disturbance) => {
    kms.disturbance = disturbance;
    expect(await failure()).toMatchObject({ code: 'unavailable', notExecuted: true });
  });

  it('that is not there does so too', async () => {
    const away = await KmsStandIn.start(SEED);
    await away.stop();
    expect(await failure(outside({ url: 'http://127.0.0.1:1/sign' }))).toMatchObject({ code: 'unavailable' });
  });
});
