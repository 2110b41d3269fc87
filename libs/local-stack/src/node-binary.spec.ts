import { imageNodeVersion, obtainNode } from './node-binary';

it("the images' Node is the exact version of the Dockerfile's base", () => {
  expect(imageNodeVersion('# x\nFROM node:24.1.2-bookworm-slim AS base\nFROM base AS app\n')).toBe('24.1.2');
  expect(() => imageNodeVersion('FROM node:24 AS base')).toThrow(/no FROM node:<exact version>/);
  expect(imageNodeVersion()).toMatch(/^24\./);
});

it('the running Node is used if it is that version', async () =>
  expect(await obtainNode(process.versions.node, () => undefined)).toBe(process.execPath));
