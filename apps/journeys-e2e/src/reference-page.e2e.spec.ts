import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testStack } from '@stablecoin/testing/stack';
import { ROOT } from './merchants';

const origin = () => new URL(testStack().base_url).origin;
const get = (path: string) => fetch(`${origin()}${path}`, { signal: AbortSignal.timeout(20_000) });

describe('the interface document', () => {
  it('is served as committed, so that merchants read what the journeys are checked against, and names its own server', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const committed = readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8');
    const here = committed.replace('"url": "http://127.0.0.1:3000/api"', `"url": "${testStack().base_url}"`);
    expect(await response.text()).toBe(here);
  });
});

describe('the pages', () => {
  it('are where the host itself leads, and under their path without a slash', async () => {
    for (const path of ['/', '/docs']) {
      const answer = await fetch(`${origin()}${path}`, { redirect: 'manual' });
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, '/docs/']);
    }
    expect((await get('/docs/')).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('come with everything that they load, from this host and no other', async () => {
    const page = await get('/docs/');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self' /);
    const loaded = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(loaded.length).toBeGreaterThan(3);
    for (const path of loaded.filter((address) => address !== 'data:,'))
      expect([path, path.startsWith('/docs/'), (await get(path)).status]).toEqual([path, true, 200]);
  });

  it('learn from the service where merchants reach it', async () => {
    const { headers, status } = await get('/docs/service.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(await (await get('/docs/service.json')).json()).toEqual({ api_url: testStack().base_url });
  });
});
