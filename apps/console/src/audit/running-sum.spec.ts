import { firstThatDiffers } from './running-sum';

const event = (position: number, change: string, balance_after: string | null) => ({
  ...{ position, change, balance_after, recorded_at: '', movement: '', type: '', transaction_id: null, hash: '' },
});
const EVENTS = [event(9, '-0.10', '0.30'), event(7, '0.00', null), event(4, '0.20', '0.40'), event(2, '0.20', '0.20')];

it('all changes make up the balance', () => {
  expect(firstThatDiffers({ opening: '0.00', events: EVENTS, balance: '0.30000000' })).toBeNull();
  expect(firstThatDiffers({ opening: '0.00', events: [], balance: '0' })).toBeNull();
});

it.each([
  ['a change', { events: EVENTS.map((one) => (one.position === 4 ? { ...one, change: '0.21' } : one)) }, 4],
  ['an event left out', { events: EVENTS.filter(({ position }) => position !== 4) }, 9],
  ['the opening', { opening: '0.01' }, 2],
  ['the balance', { balance: '0.31' }, 9],
  ['what is no amount', { events: [event(3, 'x', '1')] }, 3],
])('%s is another: it says where', (_what, over, position) => {
  expect(firstThatDiffers({ opening: '0.00', events: EVENTS, balance: '0.30', ...over })).toBe(position);
});
