import { CanActivate, createParamDecorator, ExecutionContext } from '@nestjs/common';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { fieldErrorsOf, readQuery } from '@stablecoin/http-answers/query';
import type { FastifyRequest } from 'fastify';
import { descriptionOf } from './route';

const INPUT = Symbol('input classes');

/** The classes into which a route's method reads its input; the interface document is made from them. */
export interface InputClasses {
  body?: RequestClass<object>;
  query?: RequestClass<object>;
}

/** Gives a controller's method the request's body as a checked instance of `type`; no body is an empty one. */
export function FromBody(type: RequestClass<object>): ParameterDecorator {
  return reading('body', type, ({ body }) => validateRequest(type, body === undefined ? {} : body));
}

/** Gives a controller's method the query parameters as a checked instance of `type`; each may be given once. */
export function FromQuery(type: RequestClass<object>): ParameterDecorator {
  return reading('query', type, ({ query }) => readQuery(type, query as Record<string, unknown>));
}

/** A class without fields: the body, if there is one, must be empty. */
export class NoFields {}

function reading(
  source: keyof InputClasses,
  type: RequestClass<object>,
  read: (request: FastifyRequest) => object,
): ParameterDecorator {
  const decorate = createParamDecorator((_data: unknown, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>()),
  );
  return (target, key, index) => {
    if (key !== undefined) {
      const before = (Reflect.getMetadata(INPUT, target, key) as InputClasses | undefined) ?? {};
      Reflect.defineMetadata(INPUT, { ...before, [source]: type }, target, key);
    }
    decorate()(target, key, index);
  };
}

export function inputClassesOf(controller: object, key: string): InputClasses {
  return (Reflect.getMetadata(INPUT, controller, key) as InputClasses | undefined) ?? {};
}

/**
 * Refuses query parameters on a route that reads none, instead of ignoring them, together with the faults of the body.
 * A guard, because Nest runs guards before it reads the body into its class.
 */
export class NoStrayQuery implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const { body, query } = inputClassesOf(context.getClass().prototype as object, handler.name);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const given = request.query as Record<string, unknown>;
    if (query || !descriptionOf(handler) || Object.keys(given).length === 0) return true;
    const inQuery = fieldErrorsOf(() => readQuery(NoFields, given));
    const inBody = body
      ? fieldErrorsOf(() => validateRequest(body, request.body === undefined ? {} : request.body))
      : [];
    throw new Refusal('validation_failed', [...inQuery, ...inBody]);
  }
}
