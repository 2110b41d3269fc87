import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryFolders } from '../fixtures/temporary-folders';
import { anvilOfStack } from './local-chains-setting';

const folders = new TemporaryFolders();
const folder = folders.make();
const anvil = join(folder, 'anvil');
const told: string[] = [];
const tell = (text: string) => told.push(text);

beforeAll(() => {
  writeFileSync(anvil, '');
  chmodSync(anvil, 0o700);
});
beforeEach(() => told.splice(0));
afterAll(() => folders.remove());

it.each([
  [undefined, anvil],
  ['', anvil],
  ['true', anvil],
  ['false', undefined],
])('with LOCAL_CHAINS=%j and an anvil: %s', (LOCAL_CHAINS, program) => {
  expect(anvilOfStack({ LOCAL_CHAINS, PATH: folder }, tell)).toBe(program);
  expect(told).toEqual([]);
});

describe('without an anvil', () => {
  it('leaves chains out and says so in a line, unless they are asked for', () => {
    expect(anvilOfStack({ PATH: '' }, tell, folder)).toBeUndefined();
    expect(told).toEqual([expect.stringMatching(/^ {2}No local chains: there is no anvil for \w+-\w+ \(npm start/)]);
    expect(() => anvilOfStack({ PATH: '', LOCAL_CHAINS: 'true' }, tell, folder)).toThrow(
      /^Local chains need anvil, and there is none: npm install /,
    );
  });

  it('does without where no chains are wanted', () => {
    expect(anvilOfStack({ PATH: '', LOCAL_CHAINS: 'false' }, tell, folder)).toBeUndefined();
    expect(told).toEqual([]);
  });
});

it('refuses another word', () =>
  expect(() => anvilOfStack({ LOCAL_CHAINS: 'yes' }, tell)).toThrow('LOCAL_CHAINS must be true or false, not "yes".'));
