import type { FastifyRequest } from 'fastify';

/** A route's paths: of a member, whose session has the merchant, and of the operator's people, who name it. */
export const ofMerchant = (path: string): string[] => [path, `merchants/:merchant_id/${path}`];

/** As the path has it, whatever it is; undefined on a path that names none. */
export const merchantNamedBy = ({ params }: Pick<FastifyRequest, 'params'>): string | undefined =>
  (params as { merchant_id?: string } | undefined)?.merchant_id;
