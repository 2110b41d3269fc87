import { KeyMode } from './key-mode';

/** A merchant as the operator's people see it: nothing of it is personal but its name. */
export interface MerchantView {
  merchant_id: string;
  name: string;
  mode: KeyMode;
  /** Whether a key of it is valid: without one, nothing of it can be asked for. */
  status: 'active' | 'no_valid_key';
  shard: number;
  created_at: string;
  valid_keys: number;
  /** Of its keys, to about a minute. */
  last_used_at: string | null;
}
