import { roleOf } from './processes';

const DATA = '/srv/data';

it.each([
  [['/x/bin/postgres', '-D', '/srv/data/postgres', '-c', 'port=1'], 'postgres'],
  [['/usr/sbin/nats-server', '-c', '/srv/data/nats/server.conf'], 'nats-server'],
  [['node', 'dist/apps/payout/src/main.js', '--stack=/srv/data'], 'service'],
  [['/x/anvil', '--chain-id', '56', '--cache-path', '/srv/data/chains/bep20/states'], 'chain'],
  [['anvil', '--cache-path', '/srv/data2/chains/bep20/states'], undefined],
  [['anvil', '--chain-id', '56'], undefined],
  [['postgres', '-D', '/srv/data2/postgres'], undefined],
  [['nats-server', '-c', '/etc/nats.conf'], undefined],
  [['vim', '/srv/data/nats/server.conf'], undefined],
  [['node', 'main.js', '--stack=/srv/data2'], undefined],
])('%j has the role %s in the stack of this data folder', (args, role) => {
  expect(roleOf(args, DATA)).toBe(role);
});
