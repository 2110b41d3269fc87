import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { CLOSED, call, outcome, problems, standIns, useGateway, wallet } from '../../testing/gateway-fixture';

useGateway();

describe('idempotency', () => {
  const open = (key: string, body: unknown = { currency: 'NGN' }) =>
    call('POST', '/api/wallets', body, { 'idempotency-key': key });
  const lastIds = () => standIns.requestsTo(openWallet).at(-1) as { command_id: string; input_hash: string };

  it('derives the command from the key, and the hash from what the body means', async () => {
    const sent = [];
    for (const body of [
      '{"currency":"NGN","description":"a"}',
      ' { "description" : "a", "currency":"NGN" }',
      '{"currency":"USD"}',
    ]) {
      await open('same', body);
      sent.push(lastIds());
    }
    const [first, same, other] = sent;
    expect(same).toEqual(expect.objectContaining({ command_id: first?.command_id, input_hash: first?.input_hash }));
    expect(other?.command_id).toBe(first?.command_id);
    expect(other?.input_hash).not.toBe(first?.input_hash);
    await open('other');
    expect(lastIds().command_id).not.toBe(first?.command_id);
    await call('POST', '/api/wallets', { currency: 'NGN' });
    expect(lastIds().command_id).not.toBe(first?.command_id);
  });

  it('marks a stored result', async () => {
    expect((await open('a')).headers.get('idempotency-replayed')).toBeNull();
    standIns.on(openWallet, () => ({ result: wallet, replayed: true }));
    expect((await open('a')).headers.get('idempotency-replayed')).toBe('true');
  });

  it.each([[''], ['x'.repeat(256)], ['schlüssel']])('refuses the key %j', async (key) => {
    expect(problems(await open(key))).toEqual(['Idempotency-Key: invalid_idempotency_key']);
  });

  it('leaves a repetition for a closed owner to the ledger, which may have its result', async () => {
    const body = { currency: 'NGN', customer_id: CLOSED };
    expect(outcome(await call('POST', '/api/wallets', body))).toEqual([422, 'customer_closed']);
    expect(standIns.requestsTo(openWallet)).toHaveLength(0);
    expect((await open('earlier', body)).status).toBe(200);
  });
});
