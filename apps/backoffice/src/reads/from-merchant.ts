import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { maySeePersonalData } from '@stablecoin/people-store/roles';
import type { FastifyRequest } from 'fastify';
import { ConsoleRefusal } from '../http/console-refusal';

/** The merchant that a request is about, from the session and from nowhere else, and what of it the member may see. */
export interface AskingMerchant {
  merchant_id: string;
  mode: 'test' | 'live';
  shard: number;
  /** Whether what is sealed is opened for this member. */
  seesPersonalData: boolean;
}

/** Gives a controller's method the merchant of the session. */
export const FromMerchant = createParamDecorator((_data: unknown, context: ExecutionContext): AskingMerchant => {
  const { session } = context.switchToHttp().getRequest<FastifyRequest>();
  if (session === undefined) throw new ConsoleRefusal('not_signed_in');
  if (session.merchant === null) throw new ConsoleRefusal('no_merchant');
  const { merchant_id, mode, shard } = session.merchant;
  return { merchant_id, mode, shard, seesPersonalData: maySeePersonalData(session.role) };
});
