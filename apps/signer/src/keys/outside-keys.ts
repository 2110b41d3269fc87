// Keys that an outside signer holds. It is sent a digest and the name of a key, and answers with an ECDSA signature in DER,
// as key management services make them:
//
//   POST <url>   authorization: Bearer <token>
//   {"key":"m/44'/60'/1'/0/0","digest":"<32 bytes in base64>","algorithm":"ECDSA_SECP256K1","digest_type":"PREHASHED"}
//   200 {"signature":"<DER in base64>"}
//
// It may choose either s, and says nothing of the parity. It is not believed: what doesn't recover the public key that this
// process was configured with is thrown away.

import { secp256k1 } from '@noble/curves/secp256k1';
import type { HDKey } from '@scure/bip32';
import { extendedPublicKey } from '@stablecoin/addresses/extended-public-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { Hex, Signature } from '../rules/transfer-transaction';
import { addressOf, DEPOSIT_PATH, HOT_PATH, publicKeyOf } from './public-keys';
import { signatureOfKey } from './signature-of-key';
import { type KeyName, type OtherAddresses, TransactionKeys } from './transaction-keys';

/** A DER signature has 72 bytes at the most. */
const ANSWER_BYTES_MAX = 4_096;

interface OutsideSigner {
  url: string;
  token: string | null;
  timeoutMs: number;
  hotIndex: number;
  /** The hot wallet's, compressed or not. */
  hotPublicKey: Uint8Array;
  /** The extended public key of m/44'/60'/0'/0. */
  depositParent: string;
}

export class OutsideKeys extends TransactionKeys {
  readonly hot: Hex;
  readonly evmParent: string;
  /** Its keys are of secp256k1 and of EVM's branch alone. */
  readonly other: OtherAddresses = { tronParent: null, solanaAddresses: () => [] };
  private readonly deposits: HDKey;

  constructor(private readonly signer: OutsideSigner) {
    super();
    this.deposits = extendedPublicKey(signer.depositParent);
    this.evmParent = this.deposits.publicExtendedKey;
    this.hot = addressOf(signer.hotPublicKey);
  }

  depositAddress(index: number): Hex {
    return addressOf(publicKeyOf(this.deposits, index));
  }

  async sign(key: KeyName, digest: Uint8Array): Promise<Signature> {
    const { hotPublicKey, hotIndex } = this.signer;
    const [path, publicKey] =
      key === 'hot'
        ? [`${HOT_PATH}/${hotIndex}`, hotPublicKey]
        : [`${DEPOSIT_PATH}/${key}`, publicKeyOf(this.deposits, key)];
    const der = derIn(await this.ask(path, digest));
    return signatureOfKey(secp256k1.Signature.fromBytes(der, 'der'), digest, publicKey);
  }

  /** Nothing was signed for anyone when it doesn't answer: what it may have signed is not on its way to a chain. */
  private async ask(key: string, digest: Uint8Array): Promise<string> {
    const { url, token, timeoutMs } = this.signer;
    let failure: unknown;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({
          key,
          digest: Buffer.from(digest).toString('base64'),
          algorithm: 'ECDSA_SECP256K1',
          digest_type: 'PREHASHED',
        }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await bounded(answer);
      if (answer.ok) return text;
      failure = new Error(`status ${answer.status}`);
    } catch (error) {
      failure = error;
    }
    throw Object.assign(Refusal.notExecuted(), { cause: failure });
  }
}

/** @throws Error for more than a signature takes */
async function bounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error('The outside signer answers more than a signature');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws Error where the answer is no signature in DER */
function derIn(text: string): Uint8Array {
  const { signature } = JSON.parse(text) as { signature?: unknown };
  if (typeof signature !== 'string') throw new Error('The outside signer answers without a signature');
  return Buffer.from(signature, 'base64');
}
