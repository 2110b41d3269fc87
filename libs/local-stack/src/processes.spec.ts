import { roleOf } from './processes';

const DATA = '/srv/data';

it.each([
  [['/x/bin/postgres', '-D', '/srv/data/postgres', '-c', 'port=1'], 'postgres'],
  [['/usr/sbin/nats-server', '-c', '/srv/data/nats/server.conf'], 'nats-server'],
  [['node', 'dist/apps/payout/src/main.js', '--stack=/srv/data'], 'service'],
  [['postgres', '-D', '/srv/data2/postgres'], undefined],
  [['nats-server', '-c', '/etc/nats.conf'], undefined],
  [['vim', '/srv/data/nats/server.conf'], undefined],
  [['node', 'main.js', '--stack=/srv/data2'], undefined],
])('%j has the role %s in the stack of this data folder', (args, role) => {
  expect(roleOf(args, DATA)).toBe(role);
});
