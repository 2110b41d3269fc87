/** Why the console may not, beside what the services refuse: their codes are those of docs/ERRORS.md. */
export const CONSOLE_REFUSALS = {
  not_signed_in: { status: 401, message: 'You are not signed in here: sign in again' },
  link_not_valid: {
    status: 401,
    message: 'This link was used, has expired, or is for another machine: ask for a new one',
  },
  passkey_not_valid: {
    status: 401,
    message: 'This passkey does not sign in here: try another one, or ask an admin of yours for a link',
  },
  passkey_refused: { status: 403, message: 'That did not come from a passkey of yours, or came too late: try again' },
  step_up_required: { status: 403, message: 'Show your passkey first: this needs more than being signed in' },
  no_passkey_yet: { status: 409, message: 'You have no passkey yet: add one to your account' },
  passkey_known: { status: 409, message: 'This passkey is known already' },
  too_many_passkeys: { status: 409, message: 'There are as many passkeys as there may be: remove one first' },
  joined_later: {
    status: 403,
    message: 'This payout was asked for before you were a member: someone who was there by then has to approve it',
  },
  order_over: {
    status: 409,
    message: 'What you were shown counts no more: have it shown again, with the prices of now',
  },
  no_passkeys_here: {
    status: 409,
    message: 'Devices keep passkeys for a name, not for an address: open the console by its name',
  },
  no_provider: { status: 409, message: 'No identity provider signs people in here' },
  provider_away: { status: 503, message: 'The identity provider does not answer: try again, or use a passkey' },
  not_allowed: { status: 403, message: 'Your role may not do that: ask an admin of yours' },
  no_merchant: {
    status: 403,
    message: 'This is shown to members of a merchant: people of the operator open one of the list of merchants first',
  },
  forged_origin: {
    status: 403,
    message: "This did not come from the console's own page: open the console and try there",
  },
  statement_too_long: {
    status: 422,
    message: 'These days have more than 2,000 entries: choose fewer days, or take the CSV, which has any number',
  },
  audit_run_under_way: {
    status: 409,
    message: 'A verification waits or runs already: wait for its end, or cancel it',
  },
  audit_run_over: { status: 409, message: 'That verification has ended, or is cancelled already' },
  last_admin: { status: 409, message: 'There would be no admin left: make another member an admin first' },
} as const;

export type ConsoleRefusalCode = keyof typeof CONSOLE_REFUSALS;

export class ConsoleRefusal extends Error {
  constructor(readonly code: ConsoleRefusalCode) {
    super(code);
    this.name = 'ConsoleRefusal';
  }
}
