import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { Operation } from '@stablecoin/contracts/wire/operation';

/** Beside the request: the shard whose owner is asked, for operations that a shard's owner answers. */
export interface MessageContext {
  shard: number | undefined;
}

/**
 * Marks the method that answers an operation. The method's types are checked against the contract: it takes the
 * operation's request, already validated, and gives its reply.
 */
export function Handles<Request extends object, Reply>(operation: Operation<Request, Reply>) {
  // Generic, so that a method which needs no context may leave it out of its parameters.
  return <Method extends (request: Request, context: MessageContext) => Promise<Reply>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    MessagePattern(operation.subject, { operation })(target, key, descriptor as PropertyDescriptor);
    // Without these Nest would pass the request alone.
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
  };
}
