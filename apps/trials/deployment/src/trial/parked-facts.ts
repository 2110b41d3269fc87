// Checks that the command for parked facts, its role in the database and the running service work together: no fact is
// parked at first; one that no service can read is listed, is retried by the service on request, and stays parked.

import assert from 'node:assert/strict';
import type { Deployment } from '../running/deployment';

interface ParkedFact {
  service: string;
  position: string;
}

const UNREADABLE_FACT = `
  INSERT INTO parked_facts (consumer, shard, position, movement, concerns, sealed_fact, reason, attempts)
  VALUES ('payout', 0, 1, 'payout-accepted', 'a check', 'not sealed', 'made up', 1)`;

export async function checkParkedFacts(deployment: Deployment): Promise<void> {
  const { command = [] } = deployment.model.services['facts'] ?? {};
  const list = async () => JSON.parse(await deployment.command('facts', ...command, '--json')) as ParkedFact[];
  assert.deepEqual(await list(), [], 'facts were parked');
  await deployment.onDatabase('payout', (client) => client.query(UNREADABLE_FACT));
  assert.deepEqual(
    (await list()).map(({ service, position }) => [service, position]),
    [['payout', '0:1']],
  );
  const { code, output } = await deployment.container('facts').run('retry', 'payout', '--all', '--json');
  const { parked } = JSON.parse(output) as { parked: { attempts: number }[] };
  const tried = parked.map(({ attempts }) => attempts);
  assert.deepEqual({ code, tried }, { code: 1, tried: [2] }, 'the service did not try again what it was asked to');
  await deployment.onDatabase('payout', (client) => client.query('DELETE FROM parked_facts'));
}
