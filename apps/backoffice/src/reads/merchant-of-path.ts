import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { getMerchant } from '@stablecoin/contracts/customer/get-merchant';
import { MerchantView } from '@stablecoin/contracts/customer/merchant-view';
import { pathUuid } from '@stablecoin/http-answers/query';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyRequest } from 'fastify';
import { Observable, switchMap, from } from 'rxjs';
import { ConsoleRefusal } from '../http/console-refusal';
import { merchantNamedBy } from '../sessions/merchant-path';
import { sessionOf } from '../sessions/session.guard';
import { MerchantLooks } from './merchant-looks';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of one of the operator's people, whose path names it. */
    namedMerchant: MerchantView | undefined;
  }
}

/** Looks up the merchant that one of the operator's people names in a path, with the look on the record before anything is shown. */
@Injectable()
export class MerchantOfPath implements NestInterceptor {
  constructor(
    private readonly bus: BusClient,
    private readonly looks: MerchantLooks,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const named = merchantNamedBy(request);
    if (named === undefined) return next.handle();
    return from(this.lookUp(named, sessionOf(request))).pipe(
      switchMap((merchant) => {
        request.namedMerchant = merchant;
        return next.handle();
      }),
    );
  }

  /** @throws ConsoleRefusal for a member, to whom no route with such a path is open; Refusal not_found */
  private async lookUp(named: string, session: Session): Promise<MerchantView> {
    if (session.side !== 'operator') throw new ConsoleRefusal('not_allowed');
    const merchant = await this.bus.call(getMerchant, { merchant_id: pathUuid(named) });
    await this.looks.record(merchant.merchant_id, session);
    return merchant;
  }
}
