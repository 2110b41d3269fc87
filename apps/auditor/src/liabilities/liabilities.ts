/** What the ledger owes, as it was signed: per currency the sum over all wallets, compared with the tables and the log. */
import { readLiabilities } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { printUnits } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { liabilitiesUpTo } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { AuditFailure, counted, EXIT, grouped, Report, table } from '../report/report';
import { asLedgers, LedgerDatabases } from '../database/ledger';
import { refuseTorn, withPlacedSnapshots, withTheirShards } from '../database/placed-snapshots';
import { partsOfWallets } from './parts-of-wallets';

import { madeAnew } from './made-anew';

/** @param time the newest statement made up to then; without it, the newest */
export function liabilitiesReport(ledger: LedgerDatabase | LedgerDatabases, time?: string): Promise<Report> {
  return withPlacedSnapshots(asLedgers(ledger), {}, async (parts, torn) => {
    refuseTorn(torn);
    const [{ snapshot }] = parts;
    const row = await liabilitiesUpTo(snapshot, time ?? 'infinity');
    if (!row) {
      const until = time === undefined ? 'yet' : `up to ${time}`;
      throw new AuditFailure(
        `There is no statement of liabilities ${until}: see LIABILITIES_INTERVAL_MS.`,
        EXIT.finding,
      );
    }
    const statement = readLiabilities(row.note);
    if (!statement)
      throw new AuditFailure(`Statement ${row.number} can't be read: npm run audit -- verify.`, EXIT.finding);
    const { sums, problem } = await madeAnew(
      snapshot,
      row,
      statement,
      partsOfWallets(withTheirShards(parts), statement),
    );
    const currencies = statement.owed.map(({ currency, sum, depth, root }) => {
      const found = sums.find((one) => one.currency === currency);
      return {
        currency,
        owed: printUnits(sum),
        root: root.toString('hex'),
        depth,
        wallets: found?.wallets ?? 0,
        balances: printUnits(found?.balances ?? 0n),
        held: printUnits(found?.held ?? 0n),
      };
    });
    const { number, origin, shards } = statement;
    const places = shards.map(({ shard, size, root }) => ({ shard, size, root: root.toString('hex') }));
    return {
      ok: problem === undefined,
      json: {
        number,
        origin,
        time: statement.time,
        currencies,
        shards: places,
        statement: row.note,
        problem: problem ?? null,
      },
      text: [
        `Statement ${number} of ${statement.time} by ${origin}, signed with key ${row.key_id}`,
        table(
          currencies.map(({ currency, owed, wallets, held, root }) => [
            currency,
            owed,
            counted(wallets, 'wallet'),
            `${held} held for payouts`,
            `root ${root}`,
          ]),
        ),
        ...places.map(({ shard, size, root }) => `shard ${shard} up to position ${grouped(size)}, root ${root}`),
        problem === undefined ? 'The tables and the log say the same.' : `!! ${problem}`,
      ].join('\n'),
    };
  });
}
