import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addSecondLedger, changeKey, SECRET_NAMES, writeSecretFiles } from './deployment-secrets';

let temporary: string;
let folder: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'deployment-secrets-'));
  folder = join(temporary, 'secrets');
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

const contentOf = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('writeSecretFiles', () => {
  it('writes every secret once, readable to users who may enter the folder', () => {
    const { drawn, derived } = writeSecretFiles(folder);
    expect([...drawn, ...derived].sort()).toEqual([...SECRET_NAMES].sort());
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'bus_key')).mode & 0o777).toBe(0o444);
    expect(writeSecretFiles(folder)).toEqual({ drawn: [], derived: [] });
  });

  it('draws a deleted secret anew and writes derived files in place, because they may be mounted', () => {
    writeSecretFiles(folder);
    const before = contentOf('nats_passwords');
    const { ino } = statSync(join(folder, 'nats_passwords'));
    rmSync(join(folder, 'payout_nats_url'));
    expect(writeSecretFiles(folder)).toEqual({ drawn: ['payout_nats_url'], derived: ['nats_passwords'] });
    const changed = contentOf('nats_passwords')
      .split('\n')
      .filter((line) => !before.includes(line));
    expect(changed.map((line) => line.split(':')[0])).toEqual(['PAYOUT_NATS_PASSWORD']);
    expect(statSync(join(folder, 'nats_passwords')).ino).toBe(ino);
  });
});

describe('addSecondLedger', () => {
  const LISTS = ['ledger_databases', 'audit_databases', 'ledger_migration_databases'];
  const roles = () =>
    LISTS.map((list) => /^b=postgresql:\/\/(\w+):[^@]+@postgres-b:5432\/ledger(,|$)/.exec(contentOf(list))?.[1]);

  beforeEach(() => void writeSecretFiles(folder));

  it('names it to the service, to auditors and to the owner, who had none', () => {
    expect(LISTS.map(contentOf)).toEqual(['', '', '']);
    expect(addSecondLedger(folder)).toEqual(LISTS);
    expect(roles()).toEqual(['ledger_app', 'ledger_auditor', 'stablecoin_owner']);
    expect(contentOf('ledger_migration_databases')).toContain(`:${contentOf('postgres_b_password')}@`);
  });

  it('changes nothing when it is there, and leaves what an operator has added', () => {
    addSecondLedger(folder);
    expect(addSecondLedger(folder)).toEqual([]);
    const own = contentOf('ledger_databases');
    replace(join(folder, 'ledger_databases'), `c=postgresql://elsewhere/ledger,${own}\n`);
    addSecondLedger(folder);
    expect(contentOf('ledger_databases')).toBe(`${own},c=postgresql://elsewhere/ledger`);
    expect(writeSecretFiles(folder)).toEqual({ drawn: [], derived: [] });
  });

  it("follows the owner's password when that is drawn anew", () => {
    addSecondLedger(folder);
    rmSync(join(folder, 'postgres_b_password'));
    writeSecretFiles(folder);
    expect(addSecondLedger(folder)).toEqual(['ledger_migration_databases']);
    expect(contentOf('ledger_migration_databases')).toContain(`:${contentOf('postgres_b_password')}@`);
  });
});

describe('changeKey', () => {
  it.each([
    ['bus_key', 'bus_accepted_key'],
    ['personal_data_key', 'personal_data_previous_key'],
  ])('changes %s in three steps, and in no other order', (name, beside) => {
    writeSecretFiles(folder);
    const keys = () => [name, beside].map(contentOf);
    const [before] = keys();
    expect(keys()).toEqual([before, '']);
    expect(() => changeKey(folder, name, 'use')).toThrow(/is empty: --accept/);
    changeKey(folder, name, 'accept');
    const next = contentOf(beside);
    expect(Buffer.from(next, 'base64')).toHaveLength(32);
    expect(keys()).toEqual([before, next]);
    expect(() => changeKey(folder, name, 'accept')).toThrow(/holds a key already/);
    changeKey(folder, name, 'use');
    expect(keys()).toEqual([next, before]);
    changeKey(folder, name, 'drop');
    expect(keys()).toEqual([next, '']);
    expect(writeSecretFiles(folder)).toEqual({ drawn: [], derived: [] });
  });

  it('loses neither key when interrupted at any point, and completes when repeated', () => {
    writeSecretFiles(folder);
    const [file, beside] = ['bus_key', 'bus_accepted_key'].map((name) => join(folder, name)) as [string, string];
    changeKey(folder, 'bus_key', 'accept');
    const [before, next] = [contentOf('bus_key'), contentOf('bus_accepted_key')];
    const half = (text: string) => text.slice(0, 20);
    const interruptions: [inFile: string, inBeside: string][] = [
      [before, next],
      ['', next],
      [half(next), next],
      [next, next],
      [next, ''],
      [next, half(before)],
      [next, before],
    ];
    for (const [inFile, inBeside] of interruptions) {
      replace(`${file}.before`, before);
      replace(file, inFile);
      replace(beside, inBeside);
      changeKey(folder, 'bus_key', 'use');
      expect([contentOf('bus_key'), contentOf('bus_accepted_key')]).toEqual([next, before]);
      expect(existsSync(`${file}.before`)).toBe(false);
    }
  });
});

function replace(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text);
}
