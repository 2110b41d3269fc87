import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyRequest } from 'fastify';
import { AskingMerchant, merchantOf } from '../reads/from-merchant';
import { sessionOf } from '../sessions/session.guard';

/** Who changes something, and for which merchant. */
export interface MerchantMember {
  session: Session;
  merchant: AskingMerchant;
}

/** Gives a controller's method both, from the session and from nowhere else. */
export const FromMerchantMember = createParamDecorator((_data: unknown, context: ExecutionContext): MerchantMember => {
  const session = sessionOf(context.switchToHttp().getRequest<FastifyRequest>());
  return { session, merchant: merchantOf(session) };
});

/** For the ledger a person is a signer, and a membership what a key is of a merchant's program. */
export const signerOf = ({ member_id, person_id }: Session) => ({ key_id: member_id, signer_id: person_id });
