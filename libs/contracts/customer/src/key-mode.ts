import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';

const KEY_MODES = ['test', 'live'] as const;

/** All keys of a merchant have the same one: what happens in the sandbox must never be worth money. */
export type KeyMode = (typeof KEY_MODES)[number];

export function IsKeyMode(): PropertyDecorator {
  return IsOneOf(KEY_MODES);
}

/** What the gateway adds when a customer or a webhook is registered: `key_mode` is that of the merchant's key, never from its body. */
export const INJECTED_AT_REGISTRATION = [...INJECTED_FIELDS, 'key_mode'] as const;
