/** What a wallet held at a time or position: the balance after the last event of its account up to then. */
import { AsOf, pastBalance } from '@stablecoin/ledger-store/history';
import { Sql } from '@stablecoin/persistence/sql';
import { AuditFailure, EXIT, Report } from '../report/report';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function balanceReport(sql: Sql, wallet: string, asOf: AsOf): Promise<Report> {
  if (!UUID.test(wallet)) throw new AuditFailure('--wallet takes the id of a wallet, a UUID.');
  const walletId = wallet.toLowerCase();
  const past = await pastBalance(sql, walletId, asOf);
  if (!past) throw new AuditFailure(`The log knows no wallet ${walletId}: check the id.`, EXIT.finding);
  const { origin, found } = past;
  if (!found) {
    const opened = `position ${origin.position}, ${origin.recorded_at}`;
    throw new AuditFailure(`Wallet ${walletId} did not exist by then: it was opened later (${opened}).`, EXIT.finding);
  }
  const { shard, position, recorded_at, currency, balance } = found;
  const json = {
    wallet_id: walletId,
    currency,
    balance,
    shard,
    position,
    recorded_at,
    hash: found.hash.toString('hex'),
  };
  return {
    ok: true,
    json,
    text: `${balance} ${currency}\nfrom position ${position} of shard ${shard}, ${recorded_at}`,
  };
}
