import { scramVerifier } from './logins';

describe('scramVerifier', () => {
  it('gives the verifier of RFC 5802 and not the password', () => {
    // The salt of the example of RFC 7677, with its password.
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
    expect(scramVerifier('pencil', salt)).toMatch(
      /^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/,
    );
  });

  it('takes printable ASCII alone', () => expect(() => scramVerifier('grün')).toThrow(/printable ASCII/));
});
