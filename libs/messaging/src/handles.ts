import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { Operation } from '@stablecoin/contracts/wire/operation';

const OPERATION = Symbol('operation');

/** The class of a handler: @nestjs/cqrs makes one instance of it, with its dependencies. */
type HandlerClass<Request, Reply> = abstract new (...dependencies: never[]) => {
  execute(request: Request): Promise<Reply>;
};

/**
 * Marks the class that answers an operation, and names the contract that it answers. The compiler holds `execute` to the
 * contract: it takes the operation's request, already validated, and resolves to its reply. @nestjs/cqrs dispatches the
 * request by its class, as a query where the operation changes nothing and as a command otherwise.
 */
export function Handles<Request extends object, Reply>(operation: Operation<Request, Reply>) {
  return (handler: HandlerClass<Request, Reply>): void => {
    const register = operation.readOnly ? QueryHandler(operation.request) : CommandHandler(operation.request);
    register(handler);
    Reflect.defineMetadata(OPERATION, operation, handler);
  };
}

/** The operation that a class answers, if it answers one. */
export function operationHandledBy(handler: object): Operation<object, unknown> | undefined {
  return Reflect.getOwnMetadata(OPERATION, handler) as Operation<object, unknown> | undefined;
}
