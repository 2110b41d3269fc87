import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfiguration } from '../gateway.configuration';
import { commandId, Commands } from './command';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('commandId', () => {
  const base = ['m1', 'POST', '/api/wallets', 'key'] as const;

  it('is a UUID, and the same for the same request', () => {
    expect(commandId(...base)).toMatch(UUID);
    expect(commandId(...base)).toBe(commandId(...base));
  });

  it.each([
    ['another merchant', ['m2', 'POST', '/api/wallets', 'key']],
    ['another method', ['m1', 'PUT', '/api/wallets', 'key']],
    ['another path', ['m1', 'POST', '/api/swaps', 'key']],
    ['another key', ['m1', 'POST', '/api/wallets', 'Key']],
    ['parts that join to the same text', ['m1', 'POST', '/api/walletsk', 'ey']],
  ] as const)('differs for %s', (_name, parts) => {
    expect(commandId(...(parts as unknown as Parameters<typeof commandId>))).not.toBe(commandId(...base));
  });
});

it('the input is hashed when the command is sent, not before its body has passed validation', () => {
  const configuration = Object.assign(new GatewayConfiguration(), { inputHashKey: Buffer.alloc(32) });
  let reads = 0;
  const body = {
    get currency() {
      reads += 1;
      return 'NGN';
    },
  };
  const request = { method: 'POST', url: '/api/wallets', headers: {}, body } as unknown as FastifyRequest;
  const command = new Commands(configuration).read(request, {} as FastifyReply, 'm1');
  expect(reads).toBe(0);
  expect({ ...command.ids }.input_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(reads).toBe(1);
});
