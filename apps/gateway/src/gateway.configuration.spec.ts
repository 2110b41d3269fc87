import { loadConfiguration } from '@stablecoin/service-host/setting';
import { GatewayConfiguration } from './gateway.configuration';

const NEEDED = { NATS_URL: 'nats://127.0.0.1:4222', PERSONAL_DATA_KEY: Buffer.alloc(32, 1).toString('base64') };

function problemOf(url: string): string {
  try {
    loadConfiguration(GatewayConfiguration, { ...NEEDED, PUBLIC_API_URL: url });
    return '';
  } catch (error) {
    return (error as Error).message.split('\n').find((line) => line.startsWith('PUBLIC_API_URL')) ?? '';
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
