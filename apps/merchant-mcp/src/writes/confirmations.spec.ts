import { ConfirmationError, Confirmations, LIFETIME_MS } from './confirmations';

const TOOL = 'payouts_create_to_bank';
const GIVEN = { amount: '10', currency: 'USD', owner: { id: '1', tags: ['a', 'b'] } };

let nowMs: number;
let confirmations: Confirmations;
let token: string;

beforeEach(() => {
  nowMs = Date.parse('2026-11-23T08:00:00Z');
  confirmations = new Confirmations(() => nowMs);
  ({ token } = confirmations.issue(TOOL, GIVEN));
});

function codeOf(redeeming: () => string): string | undefined {
  try {
    redeeming();
    return undefined;
  } catch (error) {
    return (error as ConfirmationError).code;
  }
}

it('stands for one effect: the same key each time, another for another token', () => {
  const key = confirmations.redeem(token, TOOL, GIVEN);
  expect(confirmations.redeem(token, TOOL, GIVEN)).toBe(key);
  expect(key).not.toContain(token);
  expect(confirmations.redeem(confirmations.issue(TOOL, GIVEN).token, TOOL, GIVEN)).not.toBe(key);
});

it('counts for the same arguments in any order', () => {
  const reordered = { owner: { tags: ['a', 'b'], id: '1' }, currency: 'USD', amount: '10', note: undefined };
  expect(codeOf(() => confirmations.redeem(token, TOOL, reordered))).toBeUndefined();
});

it.each([
  ['another amount', TOOL, { ...GIVEN, amount: '1000' }],
  ['a field more', TOOL, { ...GIVEN, customer_id: '1' }],
  ['a field less', TOOL, { amount: '10', currency: 'USD' }],
  ['an inner change', TOOL, { ...GIVEN, owner: { id: '1', tags: ['b', 'a'] } }],
  ['another tool', 'payouts_create_to_wallet', GIVEN],
])('does not count for %s', (_, tool, given) => {
  expect(codeOf(() => confirmations.redeem(token, tool, given))).toBe('confirmation_invalid');
});

it.each(['yes', 'true', '', '..', `${Number.MAX_SAFE_INTEGER}.a.b`])('is not made up: %j', (made) => {
  expect(codeOf(() => confirmations.redeem(made, TOOL, GIVEN))).toBe('confirmation_invalid');
});

it('is not lengthened, and is worth nothing to another process', () => {
  const [expiresAt = '', ...rest] = token.split('.');
  const longer = [String(Number(expiresAt) + 1), ...rest].join('.');
  expect(codeOf(() => confirmations.redeem(longer, TOOL, GIVEN))).toBe('confirmation_invalid');
  expect(codeOf(() => new Confirmations(() => nowMs).redeem(token, TOOL, GIVEN))).toBe('confirmation_invalid');
});

it('ends with its time, and with a refusal', () => {
  nowMs += LIFETIME_MS - 1;
  expect(codeOf(() => confirmations.redeem(token, TOOL, GIVEN))).toBeUndefined();
  confirmations.end(token);
  expect(codeOf(() => confirmations.redeem(token, TOOL, GIVEN))).toBe('confirmation_spent');
  nowMs += 1;
  expect(codeOf(() => confirmations.redeem(token, TOOL, GIVEN))).toBe('confirmation_expired');
});
