/** What may be there once in all of the ledger is found where its second place is on another database. */
import { DepositEvidence, signEvidence } from '@stablecoin/command-proofs/evidence';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { withLedgers } from '../database/ledger';
import { KEYS, secretOf, withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog } from '@stablecoin/ledger-log/testing/driven-log';
import { verify } from './verify';

let databases: AuditedDatabase[] = [];
afterEach(async () => {
  await Promise.all(databases.map((one) => one.drop()));
  databases = [];
});

type Change = (recorded: RecordedEvent) => RecordedEvent;

/** Shard 0 at home, shard 1 on b, each with what the services state. */
async function verified(logs: readonly [DrivenLog, DrivenLog], change: Change = (recorded) => recorded) {
  for (const { events } of logs) events.splice(0, events.length, ...withAskers(events).map(change));
  databases = await Promise.all(logs.map((log) => auditedDatabase([log])));
  const [home, b] = databases as [AuditedDatabase, AuditedDatabase];
  await home.owner
    .$executeRaw`INSERT INTO ledger_shards (shard, epoch, head_hash, moved_to) VALUES (1, 1, '\\x00', 'b')`;
  return withLedgers({ AUDIT_DATABASE_URL: home.auditorUrl, AUDIT_DATABASES: `b=${b.auditorUrl}` }, (ledgers) =>
    verify(ledgers, { evidenceKeys: KEYS }),
  );
}

/** Of each shard a log with money to swap. */
function fundedLogs(): [DrivenLog, DrivenLog] {
  const funded = (shard: number) => {
    const log = new DrivenLog(shard);
    const usd = log.openWallet('USD');
    log.openWallet('USDC', 'erc20');
    log.deposit(usd, '1000');
    return log;
  };
  return [funded(0), funded(1)];
}

it('a quote that a swap of each uses', async () => {
  const [home, b] = fundedLogs();
  const quote = home.id();
  home.swap('USD', 'USDC', '100', '0.925', quote);
  const position = b.events.length + 1;
  b.swap('USD', 'USDC', '100', '0.925', quote);
  const problem = `uses the quote of swap ${quote} once more`;
  expect(await verified([home, b])).toMatchObject({ ok: false, booked_twice: [{ shard: 1, position, problem }] });
});

it('a command that has taken effect on each', async () => {
  const [home, b] = fundedLogs();
  const [first, second] = [home.events.at(-1), b.events.at(-1)];
  const replayed = b.events.map((one) =>
    one.command_id === second?.command_id ? { ...one, command_id: first?.command_id ?? '' } : one,
  );
  b.events.splice(0, replayed.length, ...replayed);
  const { booked_twice } = await verified([home, b]);
  expect(booked_twice).toEqual([
    {
      ...{ shard: 1, position: b.events.find(({ command_id }) => command_id === first?.command_id)?.position },
      problem: expect.stringMatching(
        `^command ${first?.command_id} has taken effect before, in shard 0 at position \\d+$`,
      ) as unknown,
    },
  ]);
});

describe('a transfer on a chain', () => {
  const HASH = `0x${'ab'.repeat(32)}`;

  function credited(shard: number): DrivenLog {
    const log = new DrivenLog(shard);
    const wallet = log.openWallet('USDC', 'erc20');
    log.deposited(log.chainDeposit(wallet, '50', 'erc20', HASH), 'ConfirmDeposit');
    return log;
  }

  /** The chain service states which transfer of its transaction it is. */
  const ordinal =
    (of: (shard: number) => number): Change =>
    (recorded) => {
      if (recorded.movement !== 'deposit-recorded' || !recorded.asked_by) return recorded;
      const stated = JSON.parse(recorded.asked_by.evidence ?? '') as DepositEvidence;
      const place = { ordinal: of(recorded.shard), block_number: 7, block_hash: '0xb' };
      const evidence = { ...stated, rail: 'chain' as const, ...place };
      const { text, signature } = signEvidence(secretOf('chain'), evidence);
      return { ...recorded, asked_by: { service: 'chain', evidence: text, signature } };
    };

  it('that is credited on each', async () => {
    const { booked_twice } = await verified(
      [credited(0), credited(1)],
      ordinal(() => 3),
    );
    expect(booked_twice).toMatchObject([{ shard: 1, problem: `credits transfer erc20 ${HASH} 3 once more` }]);
  });

  it('that is another one of its transaction is not', async () => {
    const { booked_twice } = await verified(
      [credited(0), credited(1)],
      ordinal((shard) => shard),
    );
    expect(booked_twice).toEqual([]);
  });
});

it('an address that a wallet of each has', async () => {
  const again = (shard: number) => {
    const log = new DrivenLog(shard, (network) => `${network}-again`);
    log.openWallet('USDC', 'erc20');
    return log;
  };
  const { ok, shared_addresses } = await verified([again(0), again(1)]);
  expect({ ok, shared_addresses }).toMatchObject({ ok: false, shared_addresses: [{ address: 'erc20-again' }] });
  expect(shared_addresses[0]?.wallets).toHaveLength(2);
});

describe('one address in letters of another case', () => {
  const inLetters = (letters: readonly [string, string]) => {
    const opened = (shard: 0 | 1) => {
      const log = new DrivenLog(shard, () => letters[shard]);
      log.openWallet('USDC', 'erc20');
      return log;
    };
    return verified([opened(0), opened(1)]);
  };

  it('of an EVM network is one', async () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const { ok, shared_addresses } = await inLetters([address, address.toLowerCase()]);
    expect({ ok, shared_addresses }).toMatchObject({ ok: false, shared_addresses: [{ address }] });
    expect(shared_addresses[0]?.wallets).toHaveLength(2);
  });

  it('of another network is two', async () => {
    const address = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
    expect(await inLetters([address, address.toLowerCase()])).toMatchObject({ ok: true, shared_addresses: [] });
  });
});

it('a log that names no asker, where commands of the other had named theirs for as long', async () => {
  const { shards } = await verified(fundedLogs(), ({ asked_by, ...recorded }) =>
    recorded.shard === 1 || !asked_by ? recorded : { ...recorded, asked_by },
  );
  expect(shards).toMatchObject([{ fault: null }, { fault: { shard: 1, position: 1 } }]);
});

it('what each has once is intact', async () => {
  const [home, b] = fundedLogs();
  home.swap('USD', 'USDC', '100', '0.925');
  b.swap('USD', 'USDC', '100', '0.925');
  expect(await verified([home, b])).toMatchObject({ ok: true, booked_twice: [], shared_addresses: [] });
});
