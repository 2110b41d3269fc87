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

describe('the reference page', () => {
  it('is where the host itself leads, and under its path with a slash', async () => {
    const root = await fetch(`${origin()}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs']);
    const [page, slashed] = await Promise.all([get('/docs'), get('/docs/')]);
    expect(slashed.status).toBe(200);
    expect(await slashed.text()).toBe(await page.text());
    expect(slashed.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'));
  });

  it('comes with everything that it loads, from this host and no other', async () => {
    const page = await get('/docs');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(loaded).toHaveLength(4);
    for (const path of loaded)
      expect([path, path.startsWith('/'), (await get(path)).status]).toEqual([path, true, 200]);
    const start = await (await get('/docs/start.js')).text();
    expect(start).toContain("fetch('/openapi.json')");
    expect(start).toContain("location.origin + '/api'");
  });
});
