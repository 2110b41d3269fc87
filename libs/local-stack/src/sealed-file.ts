/**
 * A file sealed as a stream, in chunks, so that a backup of any size takes no memory (the STREAM construction, as in age): AES-256-GCM
 * under a key of its own, derived from the backup key, a random salt and the file's name. What was cut off, put in another order,
 * exchanged for another file of the backup or changed in one bit does not open.
 *
 *   20 bytes   "stablecoin-backup/1\n"
 *   16 bytes   salt
 *   …          chunks of 65,536 bytes and a tag of 16; the last one is shorter, or as long, and says that it is the last
 *
 * The nonce of a chunk is its number and whether it is the last.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { Transform, TransformCallback } from 'node:stream';

const MAGIC = Buffer.from('stablecoin-backup/1\n');
const SALT_BYTES = 16;
const HEADER_BYTES = MAGIC.length + SALT_BYTES;
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
export const BACKUP_KEY_BYTES = 32;

/** The file is not what was sealed under this key and name. */
export class SealBroken extends Error {}

/** Identifies a key without revealing it: it is random. */
export const backupKeyId = (key: Buffer): string =>
  createHash('sha256').update('backup key id/1\n').update(key).digest('hex').slice(0, 16);

export function sealing(key: Buffer, name: string): Transform {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = keyOf(key, salt, name);
  let started = false;
  return chunked(CHUNK_BYTES, (chunk, nonce, push) => {
    if (!started) push(Buffer.concat([MAGIC, salt]));
    started = true;
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonce);
    push(Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]));
  });
}

/** Passes on only chunks that were found genuine; whether the whole is, is known at its end. */
export function opening(key: Buffer, name: string): Transform {
  let header = Buffer.alloc(0);
  let fileKey: Buffer | undefined;
  const body = chunked(CHUNK_BYTES + TAG_BYTES, (chunk, nonce, push) => {
    if (!fileKey || chunk.length < TAG_BYTES) throw new SealBroken(`${name} was cut off`);
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonce);
    decipher.setAuthTag(chunk.subarray(chunk.length - TAG_BYTES));
    try {
      push(Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - TAG_BYTES)), decipher.final()]));
    } catch {
      throw new SealBroken(`${name} is not what was sealed under this key`);
    }
  });
  const write = body._transform.bind(body);
  body._transform = (bytes: Buffer, encoding, done) => {
    if (fileKey) {
      write(bytes, encoding, done);
      return;
    }
    header = Buffer.concat([header, bytes]);
    if (header.length < HEADER_BYTES) {
      done();
      return;
    }
    if (!header.subarray(0, MAGIC.length).equals(MAGIC)) {
      done(new SealBroken(`${name} is not sealed`));
      return;
    }
    fileKey = keyOf(key, header.subarray(MAGIC.length, HEADER_BYTES), name);
    write(header.subarray(HEADER_BYTES), encoding, done);
  };
  return body;
}

/** Calls `each` with chunks of this size and their nonces; the last one, which may be empty, at the stream's end. */
function chunked(size: number, each: (chunk: Buffer, nonce: Buffer, push: (bytes: Buffer) => void) => void): Transform {
  let waiting: Buffer[] = [];
  let length = 0;
  let number = 0n;
  const pass = (stream: Transform, chunk: Buffer, isLast: boolean) => {
    each(chunk, nonceOf(number, isLast), (bytes) => stream.push(bytes));
    number += 1n;
  };
  const attempt = (done: TransformCallback, work: () => void) => {
    try {
      work();
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      attempt(done, () => {
        waiting.push(bytes);
        length += bytes.length;
        if (length <= size) return;
        let all = Buffer.concat(waiting);
        // More is known to follow: only then is it certain that a chunk is not the last.
        while (all.length > size) {
          pass(this, all.subarray(0, size), false);
          all = all.subarray(size);
        }
        waiting = [all];
        length = all.length;
      });
    },
    flush(done) {
      attempt(done, () => pass(this, Buffer.concat(waiting), true));
    },
  });
}

function keyOf(key: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `stablecoin backup file/1\n${name}`, BACKUP_KEY_BYTES));
}

function nonceOf(number: bigint, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(number, 3);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}
