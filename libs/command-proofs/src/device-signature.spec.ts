import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { DeviceSignature, isSignedByDevice } from './device-signature';

const challenge = createHash('sha256').update('what is approved').digest();
const KEYS = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};
type Algorithm = keyof typeof KEYS;

interface Said {
  type?: string;
  challenge?: string;
}

const clientData = (said: Said) =>
  JSON.stringify({
    type: 'webauthn.get',
    challenge: challenge.toString('base64url'),
    origin: 'https://a.example',
    ...said,
  });

function authenticatorData(flags: number, bytes = 37): Buffer {
  const data = Buffer.alloc(bytes);
  data.writeUInt8(flags, 32);
  return data;
}

interface Signing {
  by?: Algorithm;
  client?: string;
  data?: Buffer;
  key?: KeyObject;
}

function signed({
  by = 'ES256',
  client = clientData({}),
  data = authenticatorData(0x05),
  key,
}: Signing = {}): DeviceSignature {
  const { publicKey, privateKey } = KEYS[by];
  const message = Buffer.concat([data, createHash('sha256').update(client).digest()]);
  return {
    public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    client_data: Buffer.from(client).toString('base64'),
    authenticator_data: data.toString('base64'),
    signature: sign(by === 'EdDSA' ? null : 'sha256', message, key ?? privateKey).toString('base64'),
  };
}

it.each(Object.keys(KEYS) as Algorithm[])('is known by the key of a device: %s', (by) => {
  expect(isSignedByDevice(signed({ by }), challenge)).toBe(true);
});

it.each<[string, Signing]>([
  ['another challenge', { client: clientData({ challenge: Buffer.alloc(32).toString('base64url') }) }],
  ['a passkey that was made', { client: clientData({ type: 'webauthn.create' }) }],
  ['text that is no client data', { client: 'null' }],
  ['text that is no JSON', { client: '{' }],
  ['a device that did not see its person', { data: authenticatorData(0x01) }],
  ['a device at which was no one', { data: authenticatorData(0x04) }],
  ['data that is too short', { data: authenticatorData(0x05, 36) }],
  ['another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
])('is not of %s', (_name, signing) => {
  expect(isSignedByDevice(signed(signing), challenge)).toBe(false);
});

it.each<[string, Partial<Record<keyof DeviceSignature, unknown>>]>([
  [
    'other client data',
    { client_data: Buffer.from(clientData({ type: 'webauthn.get' }).replace('a.ex', 'b.ex')).toString('base64') },
  ],
  ['other flags', { authenticator_data: authenticatorData(0x07).toString('base64') }],
  ['no key', { public_key: 'AAAA' }],
  ['no signature', { signature: '' }],
  ['a number', { client_data: 7 }],
])('does not cover %s', (_name, changed) => {
  expect(isSignedByDevice({ ...signed(), ...changed } as DeviceSignature, challenge)).toBe(false);
});
