import { ERROR_CODES, ErrorCode } from './error-codes';
import { IsOneOf } from './fields/choice';
import { IfPresent } from './fields/field';
import { IsSha256, IsUuid } from './fields/identifiers';

/** The field that the gateway adds to every request: the merchant behind the API key. */
export class MerchantRequest {
  @IsUuid() merchant_id: string;
}

/**
 * The fields that the gateway adds to every command: an id under which it takes effect once, and the hash of its input.
 * The same id with another hash is `idempotency_key_reused`.
 */
export class MerchantCommand extends MerchantRequest {
  @IsUuid() command_id: string;
  @IsSha256() input_hash: string;
  /**
   * A reason of the gateway to refuse the command. The service refuses it with this code, unless it took effect before:
   * then the stored result counts, whatever has changed since.
   */
  @IfPresent() @IsOneOf(ERROR_CODES) objection?: ErrorCode;
}

export const INJECTED_FIELDS = ['merchant_id', 'command_id', 'input_hash', 'objection'] as const;

/** A command's reply: `replayed` when it had taken effect before and this is the stored result. */
export interface CommandReply<Result> {
  result: Result;
  replayed: boolean;
}
