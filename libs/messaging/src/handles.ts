import { MessagePattern } from '@nestjs/microservices';
import { Operation } from '@stablecoin/contracts/wire/operation';

/**
 * Marks the method that answers an operation. The method's types are checked against the contract: it takes the
 * operation's request, already validated, and gives its reply.
 */
export function Handles<Request extends object, Reply>(operation: Operation<Request, Reply>) {
  return (
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<(request: Request) => Promise<Reply>>,
  ): void => {
    MessagePattern(operation.subject, { operation })(target, key, descriptor as PropertyDescriptor);
  };
}
