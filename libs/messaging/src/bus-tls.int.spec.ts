import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { connectToBus } from './bus-connection';

/** A broker with a certificate for localhost, from an authority made here; and another authority beside it. */
describe('a broker with TLS', () => {
  let folder: string;
  let broker: OwnNats;
  let url: string;
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });

  function makeAuthority(name: string): void {
    const subject = ['-subj', `/CN=${name}`, '-days', '2', '-addext', 'basicConstraints=critical,CA:TRUE'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file(`${name}.key`)];
    openssl('req', '-x509', ...key, '-out', file(`${name}.pem`), ...subject);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bus-tls-'));
    makeAuthority('ours');
    makeAuthority('other');
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('broker.key')];
    openssl('req', ...key, '-out', file('broker.csr'), '-subj', '/CN=broker');
    writeFileSync(file('names'), 'subjectAltName=DNS:localhost');
    const signer = ['-CA', file('ours.pem'), '-CAkey', file('ours.key'), '-CAcreateserial'];
    const signed = ['-in', file('broker.csr'), '-out', file('broker.pem'), '-extfile', file('names'), '-days', '2'];
    openssl('x509', '-req', ...signed, ...signer);
    broker = await startOwnNats(['--tls', '--tlscert', file('broker.pem'), '--tlskey', file('broker.key')]);
    url = broker.url.replace('nats://127.0.0.1', 'tls://localhost');
  });
  afterAll(async () => {
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is spoken to when its certificate is from the authority in NATS_CA_FILE', async () => {
    const connection = await connectToBus(url, 'tls-spec', true, file('ours.pem'));
    expect(connection.info).toMatchObject({ tls_required: true });
    await connection.rtt();
    await connection.close();
  });

  it.each([
    ['another authority', 'other.pem'],
    ['those that Node trusts', null],
  ])('is refused at the start by %s, with the way out', async (_, name) => {
    const connected = connectToBus(url, 'tls-spec', true, name === null ? null : file(name));
    await expect(connected).rejects.toThrow(/^the broker's certificate is not trusted .*: set NATS_CA_FILE to /);
  });

  it('is demanded by tls://: one without TLS is refused', async () => {
    const plain = testNatsUrl().replace('nats://', 'tls://');
    const connected = connectToBus(plain, 'tls-spec', true, file('ours.pem'));
    await expect(connected).rejects.toThrow('the broker offers no TLS, which NATS_URL demands with tls://');
  });

  it('and a file that is not there are told apart', async () => {
    await expect(connectToBus(url, 'tls-spec', true, file('missing.pem'))).rejects.toThrow(
      'NATS_CA_FILE names no file',
    );
  });
});
