import { HttpCode, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { ResponseSchema } from '@stablecoin/http-answers/response-schema';

/** A route's description, for the interface document and for the server; it stands beside the route itself. */
export interface RouteDescription<Body = unknown> {
  /** How a client in any language calls it, such as `createBankPayout`: unique, and never changed. */
  operationId: string;
  summary: string;
  /** What must be there before the bodies below work, in a sentence or two. */
  needs?: string;
  /**
   * Whole bodies by what they show, for a route that takes one: each works as it is on a fresh `npm start`, with the
   * merchant's own wallets, after the bodies of the routes above it.
   */
  bodies?: Readonly<Record<string, object>>;
  /** The content of `data` on success. */
  answer: string;
  /** The whole body of a success, envelope included: response-schema.ts says how to declare it. */
  responds: ResponseSchema<Body>;
  status?: 200 | 201;
  /** Codes of refusals beyond those that every route can end with: usually its operation's `errors`. */
  errors?: readonly ErrorCode[];
  /** Takes documents, and so a body of up to 15 MiB. */
  takesDocuments?: boolean;
  /** Takes one file, as multipart/form-data, instead of JSON. */
  takesFile?: boolean;
  /** Exists for test keys only. */
  sandboxOnly?: boolean;
  /** Tokens of the rate limit: 1 for what takes the services as long as a payout or less, in proportion for the rest. */
  cost?: number;
}

/** Decorates a method that returns `Body` or a promise of it; any other type is a compile error at the route. */
type DecoratorOf<Body> = <Method extends (...parameters: never[]) => Body | Promise<Body>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

const DESCRIPTION = Symbol('route description');

export function Route<Body>(description: RouteDescription<Body>): DecoratorOf<Body> {
  const { status = 200, takesDocuments = false, takesFile = false, sandboxOnly = false, cost = 1 } = description;
  const decorators = [
    SetMetadata(DESCRIPTION, description),
    HttpCode(status),
    RouteConfig({ takesDocuments, takesFile, sandboxOnly, cost }),
  ];
  return (target, key, descriptor) => decorators.forEach((decorate) => decorate(target, key, descriptor));
}

export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as RouteDescription | undefined;
}
