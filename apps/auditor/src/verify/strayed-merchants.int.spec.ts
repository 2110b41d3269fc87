/** A merchant is on one shard: what a service has asked for in another one is found, in one database and among several. */
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { KEYS, withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { DrivenLog, eventfulLog } from '@stablecoin/ledger-log/testing/driven-log';
import { withLedgers } from '../database/ledger';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { verify, VerifyOptions } from './verify';
import { verificationReport } from './verify.report';

let databases: AuditedDatabase[] = [];
afterEach(async () => {
  await Promise.all(databases.map((one) => one.drop()));
  databases = [];
});

type Logs = readonly [DrivenLog, DrivenLog];

const withStatements = (logs: Logs) => {
  for (const { events } of logs) events.splice(0, events.length, ...withAskers(events));
};

async function inOne(logs: Logs, options: VerifyOptions = {}) {
  withStatements(logs);
  const database = await auditedDatabase([...logs]);
  databases = [database];
  return database.audit((ledger) => verify(ledger, { evidenceKeys: KEYS, ...options }));
}

/** Shard 0 at home, shard 1 on b. */
async function amongTwo(logs: Logs, options: VerifyOptions = {}) {
  withStatements(logs);
  databases = await Promise.all(logs.map((log) => auditedDatabase([log])));
  const [home, b] = databases as [AuditedDatabase, AuditedDatabase];
  await home.owner
    .$executeRaw`INSERT INTO ledger_shards (shard, epoch, head_hash, moved_to) VALUES (1, 1, '\\x00', 'b')`;
  return withLedgers({ AUDIT_DATABASE_URL: home.auditorUrl, AUDIT_DATABASES: `b=${b.auditorUrl}` }, (ledgers) =>
    verify(ledgers, { evidenceKeys: KEYS, ...options }),
  );
}

const asksIn = (log: DrivenLog, merchant_id: string) => ({
  closes: () => log.submit({ kind: 'CloseCustomer', merchant_id, customer_id: log.id() }),
  opens: () => log.submit({ kind: 'OpenWallet', merchant_id, ...aWallet(log) } as LedgerCommand),
});

const aWallet = (log: DrivenLog) => ({
  ...{ customer_id: log.id(), wallet_id: log.id(), address_id: log.id(), address_index: 900 },
  ...{ currency: 'EUR', network: null, description: 'sealed:h1.EUR.description' },
});

const strayedInto = (log: DrivenLog, merchant: DrivenLog) => {
  const first = log.events.find(({ merchant_id }) => merchant_id === merchant.merchant_id);
  const place = { shard: log.shard, position: first?.position };
  const known = `is in the log of shard ${merchant.shard} as well, from position 1 on: a merchant is on one shard`;
  return { ...place, other_shard: merchant.shard, problem: `merchant ${merchant.merchant_id} ${known}` };
};

describe.each([
  ['one database', inOne],
  ['two databases', amongTwo],
])('in %s', (_name, verified) => {
  it.each([
    ['of shard 0 in shard 1', 1],
    ['of shard 1 in shard 0', 0],
  ])(
    'a merchant %s, by a wallet and a customer who is closed: found by what is recorded later',
    async (_case, into) => {
      const logs: Logs = [eventfulLog(0), eventfulLog(1)];
      const [log, other] = [logs[into], logs[1 - into]] as [DrivenLog, DrivenLog];
      asksIn(log, other.merchant_id).closes();
      asksIn(log, other.merchant_id).opens();
      // Read three events at a time, its own merchants are named in between.
      log.openWallet('NGN');
      asksIn(log, other.merchant_id).closes();
      const found = await verified(logs, { pageSize: 3 });
      const strayed = strayedInto(log, other);
      expect(found).toMatchObject({ ok: false, strayed: [strayed], shards: [{ fault: null }, { fault: null }] });
      const { findings, what_to_do, first_fault } = verificationReport(found, 1).json;
      expect([findings, first_fault]).toEqual([
        [`shard ${into} position ${strayed.position}: ${strayed.problem}`],
        strayed,
      ]);
      expect(what_to_do).toEqual([expect.stringContaining('nothing is to be rebuilt') as unknown]);
    },
  );

  it('one that makes the rules of the other log look broken is named all the same', async () => {
    const logs: Logs = [eventfulLog(0), eventfulLog(1)];
    const customer_id = logs[1].id();
    logs[1].deposit(logs[1].openWallet('EUR', null, customer_id), '500');
    logs[0].submit({ kind: 'CloseCustomer', merchant_id: logs[1].merchant_id, customer_id });
    const found = await verified(logs);
    expect(found.strayed).toEqual([strayedInto(logs[0], logs[1])]);
    const { what_to_do } = verificationReport(found, 1).json as { what_to_do: string[] };
    // In one database, where both have one table of closed customers, shard 1 seems to open a wallet of one.
    const isBroken = found.shards[1]?.fault !== null;
    expect(isBroken).toBe(databases.length === 1);
    const end = isBroken ? 'restore nothing before you know.' : 'nothing is to be rebuilt.';
    expect(what_to_do).toEqual([expect.stringMatching(`^One of two logs, that of shard 0.*${end}$`) as unknown]);
  });

  it('of eleven merchants the first ten are named', async () => {
    const logs: Logs = [eventfulLog(0), eventfulLog(1)];
    const merchants = Array.from({ length: 11 }, () => logs[0].id());
    for (const merchant of merchants) for (const log of logs) asksIn(log, merchant).closes();
    const { strayed } = await verified(logs);
    const named = strayed?.map(({ problem }) => problem.split(' ')[1]);
    expect(named).toEqual(merchants.slice(0, 10));
  });

  it('merchants that are on one shard each are none', async () => {
    expect(await verified([eventfulLog(0), eventfulLog(1)])).toMatchObject({ ok: true, strayed: [] });
  });

  it('one shard alone shows none: it is not said that there are none', async () => {
    const logs: Logs = [eventfulLog(0), eventfulLog(1)];
    asksIn(logs[1], logs[0].merchant_id).closes();
    expect(await verified(logs, { shard: 1 })).toMatchObject({ ok: true, strayed: null });
  });
});
