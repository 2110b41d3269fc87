import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';

/** What the interface document says of a route, and what the server has to know of it; beside the route itself. */
export interface RouteDescription {
  summary: string;
  /** What `data` holds on success. */
  answer: string;
  status?: 200 | 201;
  /** Codes of refusals beyond those that every route can end with: usually its operation's `errors`. */
  errors?: readonly ErrorCode[];
  /** Takes documents, and so a body of up to 15 MiB. */
  takesDocuments?: boolean;
  /** There only for test keys. */
  sandboxOnly?: boolean;
  paged?: boolean;
}

const DESCRIPTION = Symbol('route description');

export function Route(description: RouteDescription): MethodDecorator {
  const { status = 200, takesDocuments = false, sandboxOnly = false } = description;
  return applyDecorators(
    SetMetadata(DESCRIPTION, description),
    HttpCode(status),
    RouteConfig({ takesDocuments, sandboxOnly }),
  );
}

export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as RouteDescription | undefined;
}
