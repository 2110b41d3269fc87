import { createPrivateKey, diffieHellman } from 'node:crypto';
import { deriveKeyPair, hpkeOpen, hpkeSeal, publicKeyOf, sharedSecret } from './hpke';
import { PersonalDataUnreadable } from './sealed-bytes';

const hex = (text: string) => Buffer.from(text, 'hex');
const CONTEXT = { info: 'use', aad: Buffer.from('place') };
const PAIR = deriveKeyPair(Buffer.alloc(32, 7));

/** RFC 9180, A.1: the key encapsulation does not depend on the cipher. */
const VECTOR = {
  ikmR: hex('6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037'),
  pkR: hex('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d'),
  skE: hex('52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736'),
  enc: hex('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'),
  sharedSecret: hex('fe0e18c9f024ce43799ae393c7e8fe8fce9d218875e8227b0187c04e7d2ea1fc'),
};

/** Sealed by @hpke/core 1.9.0 for PAIR, with CONTEXT. */
const SEALED_ELSEWHERE = {
  enc: hex('8e8bc1d980fda80a38117dfa192107ce1f4be47c9572e4644ed1c75b27248356'),
  body: hex('734dd7cd3cd4a218c99e2c86ab399c8959a9ad43817c01810dd4611b49ce0869'),
};

it('derives the pair of the standard', () => {
  expect(deriveKeyPair(VECTOR.ikmR).publicKey).toEqual(VECTOR.pkR);
});

it('encapsulates as the standard says', () => {
  const d = VECTOR.skE.toString('base64url');
  const sender = createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', d, x: d }, format: 'jwk' });
  const shared = diffieHellman({ privateKey: sender, publicKey: publicKeyOf(VECTOR.pkR) });
  expect(sharedSecret(shared, VECTOR.enc, VECTOR.pkR)).toEqual(VECTOR.sharedSecret);
});

it('opens what another implementation sealed', () => {
  expect(hpkeOpen(PAIR, CONTEXT, SEALED_ELSEWHERE).toString()).toBe('sealed elsewhere');
});

it('opens what it sealed, each time another text', () => {
  const seal = () => hpkeSeal(publicKeyOf(PAIR.publicKey), CONTEXT, Buffer.from('text'));
  const [first, second] = [seal(), seal()];
  expect(hpkeOpen(PAIR, CONTEXT, first).toString()).toBe('text');
  expect(second.enc).not.toEqual(first.enc);
  expect(second.body).not.toEqual(first.body);
});

describe('does not open', () => {
  const { enc, body } = SEALED_ELSEWHERE;
  const changed = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  it.each([
    ['with another key', deriveKeyPair(Buffer.alloc(32, 8)), CONTEXT, { enc, body }],
    ['for another use', PAIR, { ...CONTEXT, info: 'other' }, { enc, body }],
    ['in another place', PAIR, { ...CONTEXT, aad: Buffer.from('other') }, { enc, body }],
    ['with another sender', PAIR, CONTEXT, { enc: changed(enc, 0), body }],
    ['with a changed text', PAIR, CONTEXT, { enc, body: changed(body, 0) }],
    ['with a changed tag', PAIR, CONTEXT, { enc, body: changed(body, body.length - 1) }],
    ['cut off', PAIR, CONTEXT, { enc, body: body.subarray(0, 15) }],
    ['with a sender of low order', PAIR, CONTEXT, { enc: Buffer.alloc(32), body }],
    ['with a sender that is too short', PAIR, CONTEXT, { enc: enc.subarray(1), body }],
  ])('%s', (_how, pair, context, message) => {
    expect(() => hpkeOpen(pair, context, message)).toThrow(PersonalDataUnreadable);
  });
});
