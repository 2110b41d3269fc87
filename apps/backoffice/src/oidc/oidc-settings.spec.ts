import { loadConfiguration } from '@stablecoin/service-host/setting';
import { OidcSettings, requireWhole } from './oidc-settings';

const WHOLE = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'drawn' };
const read = (environment: NodeJS.ProcessEnv) => requireWhole(loadConfiguration(OidcSettings, environment));

it('there is a provider where issuer, client and secret are set, by its host where it has no name', () => {
  expect(read(WHOLE)).toEqual({
    ...{ issuer: 'https://id.example.com', clientId: 'console', clientSecret: 'drawn', name: 'id.example.com' },
  });
  expect(read({ ...WHOLE, OIDC_NAME: 'Marina’s ID'.replace('’', "'") })?.name).toBe("Marina's ID");
  expect(read({})).toBeNull();
});

it.each(Object.keys(WHOLE))('%s alone is missing: it says what to set', (name) => {
  expect(() => read({ ...WHOLE, [name]: '' })).toThrow('set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
  expect(() => read({ OIDC_NAME: 'Marina ID' })).toThrow('or none of OIDC_*');
});

it.each([
  ['OIDC_ISSUER', 'http://id.example.com'],
  ['OIDC_ISSUER', 'https://id.example.com/?tenant=1'],
  ['OIDC_ISSUER', 'https://user@id.example.com'],
  ['OIDC_ISSUER', 'id.example.com'],
  ['OIDC_CLIENT_ID', 'a client'],
  ['OIDC_NAME', 'x'.repeat(41)],
  ['OIDC_NAME', '<b>ID</b>'],
])('%s is refused: %s', (name, value) => {
  expect(() => read({ ...WHOLE, [name]: value })).toThrow(`${name}: expected`);
});

it.each(['127.0.0.1', '127.0.0.2', '[::1]', 'localhost'])(
  'without TLS a provider is one of this machine: %s',
  (host) => {
    const OIDC_ISSUER = `http://${host}:9000`;
    expect(read({ ...WHOLE, OIDC_ISSUER })?.issuer).toBe(OIDC_ISSUER);
  },
);
