import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { readQuery } from '@stablecoin/http-answers/query';
import type { FastifyRequest } from 'fastify';

/** Of a request whose body, or query, has none. */
export class NoFields {}

/** Gives a controller's method the query parameters as a checked instance of `type`; each may be given once. */
export const FromQuery = createParamDecorator((type: RequestClass<object>, context: ExecutionContext): object => {
  const { query } = context.switchToHttp().getRequest<FastifyRequest>();
  return readQuery(type, query as Record<string, unknown>);
});

/** For a route that takes no parameters: refuses them instead of ignoring them. */
export const WithoutQuery = () => FromQuery(NoFields);
