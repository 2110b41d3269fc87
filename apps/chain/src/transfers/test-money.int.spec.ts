import { GENESIS_BLOCKS } from '@stablecoin/chains/genesis-blocks';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { Sending } from '../testing/sending';

let sending: Sending;
let proxy: NodeFaultProxy;

beforeAll(async () => {
  sending = await Sending.start();
  proxy = await NodeFaultProxy.inFrontOf(sending.chain.rpcUrl);
  await sending.serve([proxy.url]);
});
afterAll(async () => {
  await sending.stop();
  await proxy.close();
});

const order = (mode: 'live' | 'test') => sending.submit({ mode });

it("a test merchant's payout is refused where the node is one of the real chain, and a live merchant's is not", async () => {
  const about = (block: unknown) => ({ ...(block as object), hash: GENESIS_BLOCKS[sending.network] });
  proxy.inject({ fault: { kind: 'lies', about }, where: ([place]) => place === '0x0' });
  await expect(order('test')).rejects.toThrow(new Refusal('rail_unavailable'));
  await sending.mineUntil(await order('live'), 'completed');
  const { rows } = await sending.owner.query('SELECT count(*)::int AS count FROM outgoing_transfers');
  expect(rows).toEqual([{ count: 1 }]);
  proxy.heal();
  await sending.mineUntil(await order('test'), 'completed');
});
