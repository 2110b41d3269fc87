import { ERROR_CODES, ErrorCode } from './error-codes';
import { IsOneOf } from './fields/choice';
import { IfPresent } from './fields/field';
import { IsSha256, IsUuid } from './fields/identifiers';

/** What the gateway adds to every request: the merchant behind the API key. */
export class MerchantRequest {
  @IsUuid() merchant_id: string;
}

/**
 * What the gateway adds to every command: an id under which it takes effect once, and the hash of what the caller
 * asked for. The same id with another hash is `idempotency_key_reused`.
 */
export class MerchantCommand extends MerchantRequest {
  @IsUuid() command_id: string;
  @IsSha256() input_hash: string;
  /**
   * What speaks against the command as things are now. It is refused with this, unless it took effect before: then
   * its stored result counts, whatever has changed since.
   */
  @IfPresent() @IsOneOf(ERROR_CODES) objection?: ErrorCode;
}

export const INJECTED_FIELDS = ['merchant_id', 'command_id', 'input_hash', 'objection'] as const;

/** A command's reply: `replayed` when it had taken effect before and this is the stored result. */
export interface CommandReply<Result> {
  result: Result;
  replayed: boolean;
}
