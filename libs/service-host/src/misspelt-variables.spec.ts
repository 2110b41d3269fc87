import { misspeltVariables } from './misspelt-variables';
import { bytes, hostName, Setting, wholeNumber } from './setting';

class Example {
  @Setting({ env: 'HOST', describe: '', example: '', read: hostName })
  host: string;
  @Setting({ env: 'SANDBOX_SETTLE_MS', describe: '', example: '', read: wholeNumber(0, 9) })
  settleMs: number;
  @Setting({ env: 'EXAMPLE_BUS_KEY', describe: '', example: '', read: bytes(4, 'hex'), secret: true })
  key: Buffer;
}

const foundIn = (...names: string[]) =>
  misspeltVariables(Example, Object.fromEntries(names.map((name) => [name, 'x']))).map(({ meant }) => meant);

it.each([
  ['SANDBOX_SETLE_MS', 'SANDBOX_SETTLE_MS'],
  ['SANDBOX_SETTEL_MS', 'SANDBOX_SETTLE_MS'],
  ['SANDBOX_SETTLE_S', 'SANDBOX_SETTLE_MS'],
  ['sandbox_settle_ms', 'SANDBOX_SETTLE_MS'],
  ['HOTS', 'HOST'],
  ['EXAMPLE_BUSKEY', 'EXAMPLE_BUS_KEY'],
  ['EXAMPLE_BUS_KEY_FIEL', 'EXAMPLE_BUS_KEY_FILE'],
])('%s was probably meant to be %s', (name, meant) => {
  expect(foundIn(name)).toEqual([meant]);
});

it.each([
  'HOST',
  'SANDBOX_SETTLE_MS',
  'EXAMPLE_BUS_KEY_FILE',
  'HOSTNAME',
  'PORT',
  'PATH',
  'SANDBOX_CONFIRM_MS',
  'HOME',
])('%s is no slip', (name) => {
  expect(foundIn(name)).toEqual([]);
});
