import { BARE } from '../testing/customer-content';
import { nameOf, readable, sizeText } from './words';

it('names a customer where the name is shown', () => {
  const person = { first_name: 'Ada', middle_name: null, last_name: 'Obi', birth_date: '1990-05-17T00:00:00.000Z' };
  expect(nameOf({ ...BARE, personal_info: person })).toBe('Ada Obi');
  const business = { business_name: 'Obi Trading', business_type: null, business_website: null };
  expect(nameOf({ ...BARE, customer_type: 'business', business_info: business })).toBe('Obi Trading');
  expect(nameOf(BARE)).toBeUndefined();
});

it.each([
  [1_023, '1023 B'],
  [384 * 1024, '384 KiB'],
  [5 * 1024 * 1024, '5 MiB'],
])('%i bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

it('writes a code as people do', () => expect(readable('valid_ids')).toBe('Valid ids'));
