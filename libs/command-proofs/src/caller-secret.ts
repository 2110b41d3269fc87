/**
 * What a service authenticates its commands to the ledger with. It has one secret, known to no other service, and two keys
 * that are derived from it:
 *
 *   MAC key       HMAC-SHA256, known to the ledger as well: who asks for which command
 *   evidence key  Ed25519, whose public half the ledger and every auditor know: what the service states of the world outside
 */
import { hkdfSync } from 'node:crypto';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';

const MAC_INFO = 'stablecoin/command-mac/v1';
const EVIDENCE_INFO = 'stablecoin/command-evidence/v1';

export class CallerSecret {
  readonly macKey: Buffer;
  private readonly signer: NoteSigner;

  /** @param secret 32 bytes */
  constructor(
    readonly service: string,
    secret: Buffer,
  ) {
    this.macKey = derived(secret, MAC_INFO);
    this.signer = new NoteSigner(service, derived(secret, EVIDENCE_INFO));
  }

  /** 32 bytes. */
  get evidenceKey(): Buffer {
    return this.signer.publicKey;
  }

  /** Ed25519, 64 bytes. */
  sign(text: string): Buffer {
    return this.signer.signature(text);
  }
}

const derived = (secret: Buffer, info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', info, 32));
