import type { Schema } from '../api/client';
import { isRole, ROLE_WORDS } from '../session/roles';
import type { ActKind } from './questions';

type Act = Schema<'Act'>;

export const KIND_WORDS: Readonly<Record<ActKind, string>> = {
  money: 'Money',
  people: 'Members and roles',
  'sign-in': 'Sign-ins and passkeys',
  integration: 'API keys and webhooks',
  customers: 'Decisions on customers',
  reading: 'What was read and exported',
  audit: 'Audits',
};

const ACTION_WORDS: Readonly<Record<Act['action'], string>> = {
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out everywhere',
  'session-refused': 'Was refused: the session came from another kind of address',
  'passkey-added': 'Added a passkey',
  'passkey-removed': 'Removed a passkey',
  'passkey-refused': 'Was refused: the passkey had been copied',
  'identity-connected': 'Connected an account at the provider',
  'identity-removed': 'Removed the account at the provider',
  'stepped-up': 'Showed a passkey again',
  'member-invited': 'Invited a person',
  'member-removed': 'Removed a member',
  'role-changed': 'Changed a role',
  'payout-approved': 'Approved a payout',
  'payout-rejected': 'Rejected a payout',
  'payout-ordered': 'Ordered a payout',
  'swap-ordered': 'Ordered a swap',
  'rescan-asked': 'Had a chain read again',
  'webhook-created': 'Added a webhook',
  'webhook-changed': 'Changed a webhook',
  'webhook-deleted': 'Deleted a webhook',
  'webhook-secret-rotated': 'Gave a webhook a new secret',
  'webhook-tested': 'Tested a webhook',
  'event-resent': 'Sent an event again',
  'api-key-created': 'Created an API key',
  'api-key-rotated': 'Rotated an API key',
  'api-key-revoked': 'Revoked an API key',
  'kyc-decided': 'Decided on a customer',
  'customer-erased': 'Erased a customer',
  'identity-read': 'Read who a customer is',
  'document-read': 'Opened a document',
  'transactions-exported': 'Exported transactions',
  'statement-exported': 'Exported a statement',
  'merchant-looked-at': 'Looked at a merchant',
  'balance-explained': 'Had a balance explained',
  'audit-run-asked': 'Asked for a verification',
  'audit-run-cancelled': 'Cancelled a verification',
};

/** One that a newer back office knows is named as the record has it. */
export const actionWords = (action: string): string => (isKnown(action) ? ACTION_WORDS[action] : action);
const isKnown = (action: string): action is Act['action'] => Object.hasOwn(ACTION_WORDS, action);

/** By which programs find each other, and a person nothing. */
const TECHNICAL = [
  'command_id',
  'session_id',
  'passkey_id',
  'identity_id',
  'invitation_id',
  'approval_hash',
  'created_at',
];

export interface About {
  name: string;
  value: string;
  /** An id, to be read letter by letter. */
  isId: boolean;
}

/** What an act was about, in the order of the record. */
export function aboutOf({ details }: Pick<Act, 'details'>): About[] {
  return Object.entries(details).flatMap(([key, value]) => {
    if (value === null || TECHNICAL.includes(key)) return [];
    const text = String(value);
    return [{ name: nameOf(key), value: isRole(text) ? ROLE_WORDS[text] : text, isId: key.endsWith('_id') }];
  });
}

/** `from_currency` as From currency, `wallet_id` as Wallet. */
function nameOf(key: string): string {
  const words = key.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
