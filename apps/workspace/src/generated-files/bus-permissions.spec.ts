import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { BUS_USERS } from '@stablecoin/local-stack/bus-users';
import { ASKING_LIBRARIES, usesIn } from './bus-permissions';

const text = readFileSync(join(ROOT, 'deploy/nats/permissions.conf'), 'utf8');

it.each(BUS_USERS)(
  'says what %s may say and hear: the broker takes an empty list for none, and allows everything',
  (user) => {
    const block = text.split('user: "').find((one) => one.startsWith(`${user}"`)) ?? '';
    expect(block).toMatch(/publish \{ (deny: ">"|allow: \[\s+")/);
    expect(block).toMatch(/subscribe \{ allow: \[\s+"/);
  },
);

it('reads every library that asks for operations: what one of the others asked for would be refused by the broker', () => {
  const sources = readdirSync(join(ROOT, 'libs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|\/(generated|testing|node_modules)\//.test(file))
    // Contracts name them all. What consumers of facts ask for is known by their durable names.
    .filter((file) => !/^(contracts|facts|testing)\//.test(file));
  const asking = sources.filter((file) => usesIn(`libs/${file}`).some(({ kind }) => kind === 'calls'));
  expect(asking.length).toBeGreaterThanOrEqual(3);
  expect([...new Set(asking.map((file) => file.split('/', 1)[0]))]).toEqual(ASKING_LIBRARIES);
});
