import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectOrCreate } from '@stablecoin/migrations/connection';
import { dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { PostgresServer, startPostgres } from '@stablecoin/local-stack/postgres';
import { loadSecrets } from '@stablecoin/local-stack/secrets';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { eventually } from '@stablecoin/testing/eventually';
import { Client } from 'pg';
import { ParkedFacts } from './facts/parked-facts';

/** A server that takes only TLS, with a certificate for localhost from an authority made here; and another authority. */
describe('a database with TLS', () => {
  let folder: string;
  let postgres: PostgresServer;
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = (name: string) => [
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file(`${name}.key`)],
  ];

  function makeAuthority(name: string): void {
    const subject = ['-subj', `/CN=${name}`, '-days', '2', '-addext', 'basicConstraints=critical,CA:TRUE'];
    openssl('req', '-x509', ...newKey(name), '-out', file(`${name}.pem`), ...subject);
  }

  function makeCertificate(host: string): void {
    openssl('req', ...newKey(host), '-out', file(`${host}.csr`), '-subj', '/CN=database');
    writeFileSync(file('names'), `subjectAltName=DNS:${host}`);
    const signer = ['-CA', file('ours.pem'), '-CAkey', file('ours.key'), '-CAcreateserial'];
    const signed = ['-in', file(`${host}.csr`), '-out', file(`${host}.pem`), '-extfile', file('names'), '-days', '2'];
    openssl('x509', '-req', ...signed, ...signer);
  }

  const paths = () => dataPaths(join(folder, 'data'));

  /** Postgres reads its key only where that is its user's and no one else's. */
  function place(from: string, as: string): string {
    const target = join(paths().postgres, as);
    const { uid, gid } = statSync(paths().postgres);
    copyFileSync(from, target);
    chmodSync(target, 0o600);
    chownSync(target, uid, gid);
    return target;
  }

  function present(host: string): void {
    place(file(`${host}.pem`), 'server.crt');
    place(file(`${host}.key`), 'server.key');
  }

  /** @param parameters of the URL, behind the host name that the certificate is for */
  function url(parameters = ''): string {
    return `${postgres.url('postgres').replace('127.0.0.1', 'localhost')}${parameters}`;
  }
  const verified = (authority = 'ours') => url(`?sslmode=verify-full&sslrootcert=${file(`${authority}.pem`)}`);

  async function throughThePool<Row>(at: string, sql: string): Promise<Row[]> {
    const adapter = await postgresAdapter({ url: at, applicationName: 'tls-spec', poolSize: 1 }).connect();
    try {
      const { rows, columnNames } = await adapter.queryRaw({ sql, args: [], argTypes: [] });
      return rows.map((row) => Object.fromEntries(row.map((value, index) => [columnNames[index], value]))) as Row[];
    } finally {
      await adapter.dispose();
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'database-tls-'));
    chmodSync(folder, 0o711);
    ['ours', 'other'].forEach(makeAuthority);
    ['localhost', 'db.example'].forEach(makeCertificate);
    makeDataDir(paths());
    postgres = await startPostgres(paths(), loadSecrets(paths()));
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('that has none is refused where the URL demands it', async () => {
    const required = requireTrustedDatabase(verified(), 'PAYOUT_DATABASE_URL');
    await expect(required).rejects.toThrow('PAYOUT_DATABASE_URL: the database offers no TLS, which sslmode in the URL');
    await expect(connectOrCreate('payout', verified())).rejects.toThrow(/the server has no TLS/);
  });

  describe('that demands it', () => {
    const LOGINS = 'hostssl all all all scram-sha-256\n';

    beforeAll(async () => {
      present('localhost');
      const owner = new Client({ connectionString: url() });
      await owner.connect();
      await owner.query('ALTER SYSTEM SET ssl = on');
      await owner.end();
      writeFileSync(join(paths().postgres, 'pg_hba.conf'), LOGINS);
      process.kill(postgres.pid, 'SIGHUP');
      await eventually('it takes TLS', () => throughThePool(verified(), 'SELECT 1'));
    });

    it('is spoken to by the services’ pools, the migrations and the operator’s commands', async () => {
      const sql = 'SELECT ssl::text AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      expect(await throughThePool(verified(), sql)).toEqual([{ ssl: 'true' }]);
      await expect(requireTrustedDatabase(verified(), 'PAYOUT_DATABASE_URL')).resolves.toBeUndefined();
      const migrator = await connectOrCreate('payout', verified().replace('/postgres?', '/made_over_tls?'));
      expect((await migrator.query(sql)).rows).toEqual([{ ssl: 'true' }]);
      await migrator.end();
      await ParkedFacts.of({ database: 'payout', url: verified() }, () => Promise.resolve());
    });

    it.each([
      ['from another authority', () => verified('other')],
      ['from none that Node trusts', () => url('?sslmode=verify-full')],
    ])('is refused with a certificate %s, with the way out, and nothing is judged by it', async (_, at) => {
      await expect(requireTrustedDatabase(at(), 'PAYOUT_DATABASE_URL')).rejects.toThrow(
        /^PAYOUT_DATABASE_URL: the database's certificate is not trusted \(\w+\): let sslrootcert in the URL name/,
      );
      await expect(connectOrCreate('payout', at())).rejects.toThrow(/the server's certificate is not trusted/);
      const operators = ParkedFacts.of({ database: 'payout', url: at() }, () => Promise.resolve());
      await expect(operators).rejects.toThrow(/The payout database does not answer \(\w*(CERT|SIGNATURE)\w*\)/);
      const failure = await throughThePool(at(), 'SELECT 1').catch((error: unknown) => error);
      expect(databaseFailure(failure)).toEqual({ kind: 'unknown' });
    });

    it('is refused without TLS', async () => {
      await expect(throughThePool(url(), 'SELECT 1')).rejects.toMatchObject({ cause: { originalCode: '28000' } });
      await expect(requireTrustedDatabase(url(), 'PAYOUT_DATABASE_URL')).rejects.toThrow(
        'PAYOUT_DATABASE_URL: the database takes no connection without TLS: add sslmode=verify-full to the URL',
      );
      await expect(connectOrCreate('payout', url())).rejects.toThrow(/with sslmode=verify-full where TLS is demanded/);
    });

    it('is refused when its certificate is for another host', async () => {
      present('db.example');
      process.kill(postgres.pid, 'SIGHUP');
      const refusal = await eventually('it shows the other certificate', () =>
        requireTrustedDatabase(verified(), 'PAYOUT_DATABASE_URL').then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
      expect(String(refusal)).toMatch(/not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\): .* the host name that it is for/);
      await expect(connectOrCreate('payout', verified())).rejects.toThrow(/the server's certificate is not trusted/);
      const failure = await throughThePool(verified(), 'SELECT 1').catch((error: unknown) => error);
      expect(databaseFailure(failure)).toEqual({ kind: 'unknown' });
    });
  });

  it('that is away is waited for', async () => {
    const away = verified().replace(String(postgres.port), '1');
    await expect(requireTrustedDatabase(away, 'PAYOUT_DATABASE_URL')).resolves.toBeUndefined();
  });
});
