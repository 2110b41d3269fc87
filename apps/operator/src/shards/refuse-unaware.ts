import { OperatorError } from '@stablecoin/command-line/operator-error';
import { instancesWithout } from '@stablecoin/ledger-store/instances-without';
import { PlacedDatabase } from '@stablecoin/ledger-store/placement/shard-rows';

/**
 * A shard goes only where every instance works.
 *
 * @param databases home first
 * @throws OperatorError which instance does not
 */
export async function refuseUnaware([home, ...others]: readonly PlacedDatabase[], to: string): Promise<void> {
  const target = others.find(({ name }) => name === to);
  if (!home || !target) return;
  const unaware = await instancesWithout(home.sql, target.sql);
  if (unaware.length === 0) return;
  throw new OperatorError(
    `${unaware.join(', ')} of wallet-ledger ${unaware.length === 1 ? 'does' : 'do'} not work on ${to}, and would answer from what the ` +
      `shard leaves behind: start every instance in this version, with ${to} in its LEDGER_DATABASES, and try again.`,
  );
}
