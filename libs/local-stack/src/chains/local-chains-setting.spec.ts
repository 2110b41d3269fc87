import { wantsLocalChains } from './local-chains-setting';

it.each([
  [undefined, false],
  ['', false],
  ['false', false],
  ['true', true],
])('with LOCAL_CHAINS=%s: %s', (value, wanted) => expect(wantsLocalChains({ LOCAL_CHAINS: value })).toBe(wanted));

it('refuses another word', () =>
  expect(() => wantsLocalChains({ LOCAL_CHAINS: 'yes' })).toThrow('LOCAL_CHAINS must be true or false, not "yes".'));
