import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { REQUEST_DEADLINE_MS, withRequestContext } from '@stablecoin/messaging/request-context';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';

/** Less than a caller waits: the answer has to be written. */
const BUDGET_MS = REQUEST_DEADLINE_MS - 500;

/** What a route asks of other services ends by one deadline, and carries the id of its request and the merchant's. */
@Injectable()
export class AskedInTime implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { id, session } = context.switchToHttp().getRequest<FastifyRequest>();
    const merchantId = session?.merchant?.merchant_id;
    const asked = { requestId: id, deadline: Date.now() + BUDGET_MS, merchantId, mode: session?.merchant?.mode };
    return new Observable((observer) => withRequestContext(asked, () => next.handle().subscribe(observer)));
  }
}
