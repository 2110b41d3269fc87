/** A sealed backup in the hands of a person who has no backup key, and what becomes of it when an operator restores it. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST } from '@stablecoin/local-stack/backup-manifest';
import { backupKeyId } from '@stablecoin/local-stack/sealed-file';
import type { SealedBackup } from '../ground/sealed-backup';
import type { Site } from '../ground/site';
import { type Evidence, refusedBy } from '../judging/expectation';
import { does } from './lines';

const PROGRAM = "the operator's program";
const IS_FORGED = 'The backup is damaged or forged: ';

async function evidenceOf(refusal: Promise<string | undefined>): Promise<Evidence> {
  const error = await refusal;
  return error === undefined
    ? { became: 'unseen', what: 'it was restored' }
    : { became: 'refused', by: PROGRAM, error };
}

/** Changed while `meanwhile` runs, then as it was. */
async function changed<Result>(
  file: string,
  change: (bytes: Buffer) => Buffer,
  meanwhile: () => Promise<Result>,
): Promise<Result> {
  const was = readFileSync(file);
  writeFileSync(file, change(Buffer.from(was)));
  try {
    return await meanwhile();
  } finally {
    writeFileSync(file, was);
  }
}

/** Where the balances are, below the folder of the server. */
async function fileOfBalances({ databases }: Site): Promise<string> {
  const [file] = await databases.ledger.rows<{ path: string }>(
    `SELECT pg_relation_filepath('account_balances') AS path`,
  );
  if (!file) throw new Error('the balances are in no file');
  return file.path;
}

const flipped = (bytes: Buffer): Buffer => {
  const place = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  return bytes;
};

const withKeyOf = (key: Buffer) => (bytes: Buffer) =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(bytes.toString()) as object), key_id: backupKeyId(key) }));

const onBackup = (
  what: string,
  error: string,
  restored: (backup: SealedBackup, site: Site) => Promise<string | undefined>,
) =>
  does(what, 'at rest', refusedBy(PROGRAM, error), async (site) =>
    evidenceOf(restored(await site.sealedBackup(), site)),
  );

export const ALTERED = onBackup(
  'changes one bit of the balances in a sealed one, and has it restored',
  `${IS_FORGED}postgres/base/`,
  async (backup, site) => {
    const file = join(backup.folder, 'postgres', await fileOfBalances(site));
    return changed(file, flipped, () => backup.refusal());
  },
);

export const OPENED_WITH_OTHER_KEYS = [
  onBackup('opens a sealed one with a key of his own', 'is sealed under another backup key', (backup) =>
    backup.refusal(randomBytes(32).toString('base64')),
  ),
  onBackup(
    'opens a sealed one with a key of his own, which he names on its cover',
    `${IS_FORGED}backup.sealed is not what was sealed under this key`,
    (backup) => {
      const key = randomBytes(32);
      return changed(join(backup.folder, MANIFEST), withKeyOf(key), () => backup.refusal(key.toString('base64')));
    },
  ),
] as const;
