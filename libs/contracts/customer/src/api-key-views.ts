import { Timestamp } from '@stablecoin/contracts/wallet/views';
import { KeyMode } from './key-mode';
import { ApiKeyScope } from './resolve-api-key';

/** What people give a key at the console. Whose approvals count is said by the operator alone: no such key is made there. */
export const SCOPES_AT_CONSOLE = ['read', 'write', 'payout'] as const satisfies readonly ApiKeyScope[];
export type ScopeAtConsole = (typeof SCOPES_AT_CONSOLE)[number];

/** How long a replaced key stays valid at most. */
export const GRACE_HOURS_MAX = 168;

/** A key without what it is: that is not stored. */
export interface ApiKeyView {
  id: string;
  /** Null for one that an operator has made. */
  name: string | null;
  mode: KeyMode;
  scopes: ApiKeyScope[];
  /** Addresses, or networks as address/bits; none: from everywhere. */
  allowed_addresses: string[];
  created_at: Timestamp;
  /** To about half a minute. */
  last_used_at: Timestamp | null;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

export interface NewApiKeyView {
  id: string;
  scopes: ApiKeyScope[];
  allowed_addresses: string[];
  /** The key itself, this once. */
  api_key: string;
}

export type RotatedApiKeyView = NewApiKeyView & {
  replaces: string;
  /** Of the one that it replaces. */
  replaced_expires_at: Timestamp;
};
