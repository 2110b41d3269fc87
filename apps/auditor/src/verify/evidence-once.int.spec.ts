/** What a service has stated once is booked once, though its signature would be right each time: the ledger itself could forge that. */
import { KEYS, withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog } from '@stablecoin/ledger-log/testing/driven-log';
import { verify } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase | undefined;
afterEach(() => database?.drop());

/** As the ledger would have written it, with what the services state. */
function asked(log: DrivenLog): DrivenLog {
  log.events.splice(0, log.events.length, ...withAskers(log.events));
  return log;
}

async function verified(log: DrivenLog) {
  database = await auditedDatabase([asked(log)]);
  return database.audit((ledger) => verify(ledger, { evidenceKeys: KEYS }));
}

function fundedLog() {
  const log = new DrivenLog(0);
  const usd = log.openWallet('USD');
  log.openWallet('USDC', 'erc20');
  log.deposit(usd, '1000');
  return { log, usd, quote: log.id() };
}

it('a quote that two swaps use: found, with one sentence', async () => {
  const { log, quote } = fundedLog();
  log.swap('USD', 'USDC', '100', '0.925', quote);
  const twice = log.events.length + 1;
  log.swap('USD', 'USDC', '100', '0.925', quote);
  const found = await verified(log);
  const problem = `uses the quote of swap ${quote} once more`;
  expect(found).toMatchObject({
    ok: false,
    shards: [{ fault: null }],
    booked_twice: [{ shard: 0, position: twice, problem }],
  });
  const said = verificationReport(found, 1)
    .text.split('\n')
    .filter((line) => line.startsWith('What to do'));
  expect(said).toEqual([expect.stringMatching(/What shard 0 books at position \d+ was stated once/) as unknown]);
});

it('quotes that are used once each are not', async () => {
  const { log } = fundedLog();
  log.swap('USD', 'USDC', '100', '0.925');
  log.swap('USD', 'USDC', '100', '0.925');
  expect(await verified(log)).toMatchObject({ ok: true, booked_twice: [] });
});

it('a deposit whose evidence is booked twice: found', async () => {
  const { log, usd } = fundedLog();
  const first = log.events.at(-1)?.command_id ?? '';
  log.swap('USD', 'USDC', '100', '0.925');
  log.deposit(usd, '1000');
  const second = log.events.at(-1)?.command_id;
  const replayed = log.events.map((one) => (one.command_id === second ? { ...one, command_id: first } : one));
  log.events.splice(0, replayed.length, ...replayed);
  const position = replayed.find(({ command_id, position: at }) => command_id === first && at > 12)?.position;
  const problem = expect.stringMatching(`command ${first} has taken effect before, in shard 0 at position`) as unknown;
  expect(await verified(log)).toMatchObject({ ok: false, booked_twice: [{ shard: 0, position, problem }] });
});
