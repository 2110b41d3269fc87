import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { DeviceSignature } from '@stablecoin/command-proofs/device-signature';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;
const NO_MODEL = Buffer.alloc(16);

/** How an answer differs from an honest one. */
export interface Dishonest {
  origin?: string;
  host?: string;
  /** The person did not show that it is them: no finger, no number. */
  unverified?: boolean;
  /** What the device counts, where it lags behind. */
  uses?: number;
  challenge?: string;
}

interface Shown {
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
}

interface Options {
  challenge: string;
  user?: { id: string };
}

/** A device that holds one passkey, as https://www.w3.org/TR/webauthn-3/ has it answer: ES256, and no word on its maker. */
export class SoftwareDevice {
  readonly credentialId = randomBytes(32);
  private uses = 0;

  private constructor(
    private readonly origin: string,
    private readonly privateKey: KeyObject,
    private readonly publicKey: KeyObject,
  ) {}

  /** @param origin of the page that asks */
  static at(origin: string): SoftwareDevice {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return new SoftwareDevice(origin, privateKey, publicKey);
  }

  /** The same key in another device, which counts for itself. */
  copied(): SoftwareDevice {
    const key = createPrivateKey(this.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const copy = new SoftwareDevice(this.origin, key, this.publicKey);
    this.credentialId.copy(copy.credentialId);
    return copy;
  }

  registers({ challenge }: Options, dishonest: Dishonest = {}): object {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const key = Buffer.concat([NO_MODEL, length, this.credentialId, this.coseKey()]);
    const authData = Buffer.concat([this.authenticatorData(dishonest, WITH_KEY), key]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.answer({
      attestationObject: text(isoCBOR.encode(attestation as never)),
      clientDataJSON: text(this.clientData('webauthn.create', challenge, dishonest)),
      transports: ['internal'],
    });
  }

  shows({ challenge }: Options, dishonest: Dishonest = {}): object {
    this.uses = dishonest.uses ?? this.uses + 1;
    const data = this.authenticatorData(dishonest, 0);
    const client = this.clientData('webauthn.get', challenge, dishonest);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.answer({
      authenticatorData: text(data),
      clientDataJSON: text(client),
      signature: text(sign('sha256', signed, this.privateKey)),
    });
  }

  /** What it signs, as it goes to the ledger. */
  signs(challenge: Buffer, dishonest: Dishonest = {}): DeviceSignature {
    const { response } = this.shows({ challenge: challenge.toString('base64url') }, dishonest) as Shown;
    const base64 = (part: string) => Buffer.from(part, 'base64url').toString('base64');
    return {
      public_key: this.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      client_data: base64(response.clientDataJSON),
      authenticator_data: base64(response.authenticatorData),
      signature: base64(response.signature),
    };
  }

  private answer(response: object): object {
    const id = text(this.credentialId);
    return {
      id,
      rawId: id,
      response,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    };
  }

  private clientData(type: string, challenge: string, dishonest: Dishonest): Buffer {
    const said = { type, challenge: dishonest.challenge ?? challenge, origin: dishonest.origin ?? this.origin };
    return Buffer.from(JSON.stringify({ ...said, crossOrigin: false }));
  }

  private authenticatorData({ host, unverified }: Dishonest, flags: number): Buffer {
    const data = Buffer.alloc(37);
    createHash('sha256')
      .update(host ?? new URL(this.origin).hostname)
      .digest()
      .copy(data);
    data.writeUInt8(PRESENT | (unverified ? 0 : VERIFIED) | flags, 32);
    data.writeUInt32BE(this.uses, 33);
    return data;
  }

  /** https://www.rfc-editor.org/rfc/rfc9053#section-7.1: EC2, ES256, P-256. */
  private coseKey(): Uint8Array {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const entries: [number, number | Uint8Array][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ];
    return isoCBOR.encode(new Map(entries));
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
