import type { Browser } from 'playwright-core';
import { accessibilityFaults, inTabs, startBrowser } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
}, 400_000);
afterAll(() => browser?.close());

const PAGE = `<html lang="en"><head><title>A page</title></head><body><main><h1>A page</h1>
  <p style="color: #aaa; background: #fff">Hardly to be read</p><input></main></body></html>`;

it.each([
  ['light', ['color-contrast', 'label']],
  ['dark', ['color-contrast']],
] as const)('faults of accessibility: in the %s, %j', async (colorScheme, rules) => {
  const page = await browser.newPage({ colorScheme });
  await page.setContent(PAGE);
  const found = await accessibilityFaults(page, colorScheme);
  expect(found.map((fault) => fault.split(':', 1)[0]).sort()).toEqual(rules);
  await page.close();
});

it('each place is visited once, and one that can not be visited hides no other', async () => {
  const visited: string[] = [];
  const faults = await inTabs([1, 2], ['a', 'b', 'c', 'd'], String, async (tab, place) => {
    await Promise.resolve();
    if (place === 'b') throw new Error('away');
    visited.push(place);
    expect([1, 2]).toContain(tab);
  });
  expect(visited.sort()).toEqual(['a', 'c', 'd']);
  expect(faults).toEqual(['b: Error: away']);
});
