// An outside signer as a key management service is one: keys by name, ECDSA in DER over a digest, with either value of s.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secp256k1 } from '@noble/curves/secp256k1';
import { HDKey } from '@scure/bip32';

export const KMS_TOKEN = 'token-of-the-kms';

export interface Asked {
  authorization: string | undefined;
  key: string;
  digest: string;
  algorithm: string;
  digest_type: string;
}

/** What it answers in place of a signature. */
interface Disturbance {
  status?: number;
  text?: string;
  /** Signs with the key of another name. */
  otherKey?: string;
  /** Signs another digest. */
  otherDigest?: boolean;
  silent?: boolean;
}

export class KmsStandIn {
  readonly asked: Asked[] = [];
  disturbance: Disturbance = {};
  /** How many signatures had the higher value of s, and how many a zero in front of r or s. */
  high = 0;
  padded = 0;
  private readonly master: HDKey;

  private constructor(
    private readonly server: Server,
    seed: Buffer,
  ) {
    this.master = HDKey.fromMasterSeed(seed);
  }

  static async start(seed: Buffer): Promise<KmsStandIn> {
    const server = createServer();
    const kms = new KmsStandIn(server, seed);
    server.on('request', (request, response) => {
      void bodyOf(request).then((body) => {
        const { status = 200, text, silent = false } = kms.disturbance;
        kms.asked.push({
          authorization: request.headers.authorization,
          ...(JSON.parse(body) as Omit<Asked, 'authorization'>),
        });
        if (silent) return;
        if (status >= 300 && status < 400) response.setHeader('location', kms.url);
        response.writeHead(status).end(text ?? JSON.stringify({ signature: kms.sign(JSON.parse(body) as Asked) }));
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return kms;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/sign`;
  }

  publicKey(path: string): Buffer {
    return Buffer.from(this.master.derive(path).publicKey ?? []);
  }

  parent(path: string): string {
    return this.master.derive(path).wipePrivateData().publicExtendedKey;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(() => closed()));
  }

  private sign({ key, digest }: Asked): string {
    const { otherKey = key, otherDigest = false } = this.disturbance;
    const { privateKey } = this.master.derive(otherKey);
    if (privateKey === null) throw new Error('No private key');
    const signed = Buffer.from(digest, 'base64');
    const signature = secp256k1.sign(otherDigest ? signed.reverse() : signed, privateKey, {
      lowS: false,
      extraEntropy: true,
    });
    const der = signature.toDERRawBytes();
    if (signature.hasHighS()) this.high += 1;
    if (der.length > 70) this.padded += 1;
    return Buffer.from(der).toString('base64');
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
