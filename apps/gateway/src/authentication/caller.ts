import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiKeyScope, ResolvedApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { RequestSigner } from '@stablecoin/contracts/wallet/request-signer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { FastifyRequest } from 'fastify';

/** Who is behind a request: its API key, and so the merchant, its shard and its fees. */
export type Caller = ResolvedApiKey;

/** Gives a controller's method the caller. */
export const FromCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Refusal('invalid_api_key');
  return caller;
});

/** The scope that a key needs: payouts and their approvals have one each, apart from every other change. */
export function scopeOf(method: string, route: string): ApiKeyScope {
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (!route.startsWith('/api/payouts/')) return 'write';
  return /\/(approve|reject)$/.test(route) ? 'approve' : 'payout';
}

/** Who signs what this key asks for. */
export const signerOf = ({ api_key_id, signer_id }: Caller): RequestSigner => ({
  key_id: api_key_id,
  signer_id: signer_id ?? api_key_id,
});
