import { PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { sandboxOutcome } from './sandbox-rules';

const bank = (account_number: string, recipient_name = 'Ada'): PayoutDestination => ({
  kind: 'bank',
  account_number,
  recipient_name,
});
const wallet = (recipient_name: string | null): PayoutDestination => ({
  kind: 'wallet',
  address: '0x0001',
  recipient_name,
});

describe('the sandbox rail', () => {
  it.each([
    [bank('0123456789'), 'complete'],
    [bank('0123450001'), 'fail'],
    [bank('0123450002'), 'return'],
    [bank('0123450009'), 'hold'],
    [bank('0123456789', 'sandbox:fail'), 'fail'],
    [bank('0123450001', 'sandbox:return'), 'return'],
    [bank('0123456789', 'sandbox:hold'), 'hold'],
    [wallet('sandbox:fail'), 'fail'],
    [wallet('sandbox:return'), 'return'],
    [wallet('sandbox:hold'), 'hold'],
    [wallet('toString'), 'complete'],
    [wallet(null), 'complete'],
  ])('of %j makes: %s', (destination, outcome) => expect(sandboxOutcome(destination)).toBe(outcome));
});
