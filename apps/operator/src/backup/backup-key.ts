/** The key under which backups are sealed, and the other keys, which a backup may hold sealed. */
import { writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import { BACKUP_KEY_BYTES, opening, SealBroken, sealing } from '@stablecoin/local-stack/sealed-file';
import { Secrets } from '@stablecoin/local-stack/secrets';

const FILE = 'secrets.json';

/** Of the environment, else of these secrets; undefined if neither has one. */
export function backupKey(env: NodeJS.ProcessEnv, secrets: Partial<Secrets> | undefined): Buffer | undefined {
  const text = secretFrom(env, 'BACKUP_KEY') ?? secrets?.BACKUP_KEY;
  if (!text) return undefined;
  const key = Buffer.from(text, 'base64');
  if (key.length !== BACKUP_KEY_BYTES) throw new OperatorError('BACKUP_KEY is no key: 32 bytes in base64.');
  return key;
}

/** All but the backup key: a copy of it in the backup would open nothing, and one day stand in clear. */
export async function sealSecrets(
  folder: string,
  { BACKUP_KEY: _left, ...secrets }: Secrets,
  key: Buffer,
): Promise<void> {
  const sealed = Readable.from([Buffer.from(JSON.stringify(secrets))]).pipe(sealing(key, FILE));
  await writeFile(join(folder, FILE), await buffer(sealed), { mode: 0o600, flush: true });
}

/** With the key that opened them, since it is none of them. */
export async function openSecrets(folder: string, key: Buffer): Promise<Secrets> {
  try {
    const opened = createReadStream(join(folder, FILE)).pipe(opening(key, FILE));
    return { ...((await json(opened)) as Secrets), BACKUP_KEY: key.toString('base64') };
  } catch (error) {
    if (error instanceof SealBroken) throw new OperatorError(`The backup is damaged or forged: ${error.message}.`);
    throw error;
  }
}
