import { loadConfiguration, settingsOf } from '@stablecoin/service-host/setting';
import { GatewayConfiguration } from './gateway.configuration';

const BUS_KEY = Buffer.alloc(32, 2).toString('base64');
const NEEDED = {
  NATS_URL: 'nats://127.0.0.1:4222',
  INPUT_HASH_KEY: Buffer.alloc(32, 1).toString('base64'),
  COMMAND_KEY: Buffer.alloc(32, 3).toString('base64'),
};

function problemOf(url: string, name = 'PUBLIC_API_URL'): string {
  try {
    loadConfiguration(GatewayConfiguration, { ...NEEDED, [name]: url });
    return '';
  } catch (error) {
    return (error as Error).message.split('\n').find((line) => line.startsWith(name)) ?? '';
  }
}

describe('PUBLIC_API_URL', () => {
  it.each(['https://api.example.com', 'https://api.example.com/api', 'http://127.0.0.1:3000/api'])('%s', (url) => {
    expect(problemOf(url)).toBe('');
  });

  it.each([
    'api.example.com',
    'ftp://api.example.com',
    'https://api.example.com/',
    'https://api.example.com/api/?a=1#b',
  ])('is not %s', (url) => expect(problemOf(url)).toMatch(/^PUBLIC_API_URL: expected a URL/));
});

describe('EXPLORER_URL_POLYGON', () => {
  const read = (url: string) =>
    loadConfiguration(GatewayConfiguration, { ...NEEDED, BUS_KEY, EXPLORER_URL_POLYGON: url }).explorerUrlPolygon;

  it('is a template, the usual one, or none', () => {
    expect(read('http://127.0.0.1:4000/{hash}/logs')).toBe('http://127.0.0.1:4000/{hash}/logs');
    expect(read('')).toBe('https://polygonscan.com/tx/{hash}');
    expect(read('none')).toBeNull();
  });

  it.each(['https://polygonscan.com/tx/', 'https://example.com/{hash}/{hash}', 'javascript:alert({hash})', 'off'])(
    'is not %s',
    (url) => expect(problemOf(url, 'EXPLORER_URL_POLYGON')).toMatch(/^EXPLORER_URL_POLYGON: expected a URL/),
  );
});

describe('the master key of personal data', () => {
  it('is asked for by no setting', () => {
    const names = settingsOf(GatewayConfiguration).map(({ definition }) => definition.env);
    expect(names).toContain('INPUT_HASH_KEY');
    expect(names.filter((name) => name.startsWith('PERSONAL_DATA'))).toEqual([]);
  });

  it('is not taken from the environment', () => {
    const masterKey = Buffer.alloc(32, 9);
    const env = { ...NEEDED, BUS_KEY, PERSONAL_DATA_KEY: masterKey.toString('base64') };
    const values = Object.values(loadConfiguration(GatewayConfiguration, env)) as unknown[];
    expect(values.filter((value) => value instanceof Buffer && value.equals(masterKey))).toEqual([]);
  });
});
