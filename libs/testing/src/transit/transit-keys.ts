// The keys of a Transit engine as Vault and OpenBao have it: by name, in versions, AES-256-GCM, derived from a context or not.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const CIPHERTEXT = /^vault:v(\d+):(.*)$/s;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface TransitKey {
  versions: string[];
  derived: boolean;
  min_decryption_version: number;
  /** As a cipher without associated data would be: it then ignores whose a text is. */
  ignores_associated_data?: boolean;
}

export interface BatchItem {
  plaintext?: string;
  ciphertext?: string;
  context?: string;
  associated_data?: string;
}

/** What Vault answers in place of a result, in its words. */
export class TransitError extends Error {}

export class TransitKeys {
  private readonly keys: Map<string, TransitKey>;

  /** @param file where they are kept; without it they end with the process */
  constructor(private readonly file?: string) {
    const kept = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '{}';
    this.keys = new Map(Object.entries(JSON.parse(kept) as Record<string, TransitKey>));
  }

  create(name: string, settings: Partial<TransitKey> = {}): void {
    if (this.keys.has(name)) return;
    this.keys.set(name, { versions: [newKey()], derived: false, min_decryption_version: 1, ...settings });
    this.keep();
  }

  rotate(name: string): void {
    this.key(name).versions.push(newKey());
    this.keep();
  }

  configure(name: string, settings: Partial<TransitKey>): void {
    Object.assign(this.key(name), settings);
    this.keep();
  }

  delete(name: string): void {
    this.keys.delete(name);
    this.keep();
  }

  has(name: string): boolean {
    return this.keys.has(name);
  }

  encrypt(
    name: string,
    { plaintext, context, associated_data }: BatchItem,
  ): { ciphertext: string; key_version: number } {
    const key = this.key(name);
    const version = key.versions.length;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', bytesOf(key, version, context), nonce, { authTagLength: TAG_BYTES });
    if (!key.ignores_associated_data) cipher.setAAD(Buffer.from(associated_data ?? '', 'base64'));
    const body = [nonce, cipher.update(Buffer.from(plaintext ?? '', 'base64')), cipher.final(), cipher.getAuthTag()];
    return { ciphertext: `vault:v${version}:${Buffer.concat(body).toString('base64')}`, key_version: version };
  }

  decrypt(name: string, { ciphertext = '', context, associated_data }: BatchItem): { plaintext: string } {
    const key = this.key(name);
    const [, version, text = ''] = CIPHERTEXT.exec(ciphertext) ?? [];
    if (version === undefined) throw new TransitError('invalid ciphertext: no prefix');
    if (Number(version) > key.versions.length) throw new TransitError('invalid ciphertext: version is too new');
    if (Number(version) < key.min_decryption_version)
      throw new TransitError('ciphertext or signature version is disallowed by policy (too old)');
    const body = Buffer.from(text, 'base64');
    if (body.length < NONCE_BYTES + TAG_BYTES) throw new TransitError('invalid ciphertext length');
    const tagStart = body.length - TAG_BYTES;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      bytesOf(key, Number(version), context),
      body.subarray(0, NONCE_BYTES),
      { authTagLength: TAG_BYTES },
    );
    if (!key.ignores_associated_data) decipher.setAAD(Buffer.from(associated_data ?? '', 'base64'));
    decipher.setAuthTag(body.subarray(tagStart));
    try {
      const plaintext = Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, tagStart)), decipher.final()]);
      return { plaintext: plaintext.toString('base64') };
    } catch {
      throw new TransitError('cipher: message authentication failed');
    }
  }

  private key(name: string): TransitKey {
    const key = this.keys.get(name);
    if (!key) throw new TransitError('encryption key not found');
    return key;
  }

  private keep(): void {
    if (this.file === undefined) return;
    writeFileSync(`${this.file}.new`, JSON.stringify(Object.fromEntries(this.keys)), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

function bytesOf({ versions, derived }: TransitKey, version: number, context: string | undefined): Buffer {
  const key = Buffer.from(versions[version - 1] ?? '', 'base64');
  if (!derived) return key;
  if (!context) throw new TransitError("missing 'context' for key derivation");
  return Buffer.from(hkdfSync('sha256', key, '', Buffer.from(context, 'base64'), key.length));
}

const newKey = (): string => randomBytes(32).toString('base64');
