import { deliveryStatus, outcomeOf, takes } from './words';

it.each([
  [{ response_status: 500, error: 'refused_by_receiver' as const }, 'answered 500, the receiver refused it'],
  [{ response_status: null, error: 'timeout' as const }, 'the receiver did not answer in time'],
  [{ response_status: 204, error: null }, 'answered 204'],
  [{ response_status: null, error: null }, ''],
])('%j reads "%s"', (delivery, text) => expect(outcomeOf(delivery)).toBe(text));

it('says which events an endpoint takes', () => {
  expect(takes({ events: null })).toBe('All events');
  expect(takes({ events: ['payout.failed', 'payout.reversed'] })).toBe('payout.failed, payout.reversed');
});

it('says how a delivery stands', () => expect(deliveryStatus('failed')).toBe('Failed'));
