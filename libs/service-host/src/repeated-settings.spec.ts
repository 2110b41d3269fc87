import { databaseUrl } from './repeated-settings';

describe('the URL of a database', () => {
  const { read } = databaseUrl('payout', 'The payout database.');
  const url = 'postgresql://payout_app:secret@db.example:5432/payout';

  it('may demand TLS, with the certificate of an authority', () => {
    for (const given of [url, `${url}?sslmode=verify-full`, `${url}?sslmode=verify-full&sslrootcert=${__filename}`])
      expect(read(given)).toBe(given);
  });

  it('names no certificate that is not there: it would show with the first connection only', () => {
    const given = `${url}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
    expect(() => read(given)).toThrow('sslrootcert to name a file that is there');
  });

  it('is one of Postgres', () => {
    expect(() => read('mysql://db.example')).toThrow('a URL that begins with postgresql://');
  });
});
