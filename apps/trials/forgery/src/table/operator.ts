/** A person with the operators' program and what it logs in with. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changePolicy } from '@stablecoin/contracts/wallet/change-policy';
import { noticedBy, refusedBy } from '../judging/expectation';
import type { Row } from './forgery';
import { calls, commands, does, sql } from './lines';
import { forgedPolicy, NO_LIMITS } from './stated';

const onTheRecord = (act: string) => noticedBy('every other operator', 'at once, in the log of acts', act);

export const OPERATOR: Row = {
  mint: [
    commands(
      'looks for a command that credits money',
      () => ['deposits', 'create', '--amount', '1000000'],
      'unknown command',
    ),
    sql(
      "adds to balances with the program's login",
      {
        login: 'customer_app',
        database: 'ledger',
        statements: [`UPDATE account_balances SET balance = balance + 1000000`],
      },
      refusedBy('Postgres', 'permission denied for table account_balances'),
    ),
  ],
  move: [
    calls(
      "lifts a merchant's limits with the bus's key alone",
      changePolicy,
      ({ mallory }) => ({ user: 'operator', keysOf: null, shard: mallory.shard, ...forgedPolicy(mallory) }),
      'unavailable no_caller',
    ),
    calls(
      'lifts them with the keys of a service',
      changePolicy,
      ({ mallory }) => ({ user: 'operator', keysOf: 'gateway', shard: mallory.shard, ...forgedPolicy(mallory) }),
      'unavailable not_a_caller',
    ),
    calls(
      'has another name in the log than the one that he has signed',
      changePolicy,
      ({ mallory }) => {
        const { body, evidence } = forgedPolicy(mallory);
        return { user: 'operator', shard: mallory.shard, body: { ...body, changed_by: 'alice' }, evidence };
      },
      'unavailable wrong_evidence',
    ),
    does(
      "lifts a merchant's limits with the program",
      'running',
      onTheRecord('policies set'),
      async ({ operator, people: { mallory } }) => {
        const folder = mkdtempSync(join(tmpdir(), 'forged-policy-'));
        const file = join(folder, 'policy.json');
        writeFileSync(file, JSON.stringify(NO_LIMITS));
        const of = ['--merchant', mallory.merchantId, '--file', file, '--reason', 'case 3'];
        await operator.run(['policies', 'set', ...of]);
        rmSync(folder, { recursive: true });
        return { became: 'noticed', shown: await operator.run(['log', '--json', '--limit', '1']) };
      },
    ),
    does(
      'gives himself a key of a merchant',
      'running',
      onTheRecord('merchants add-key'),
      async ({ operator, people }) => {
        const made = await operator.run([
          'merchants',
          'add-key',
          '--merchant',
          people.ada.merchantId,
          '--scopes',
          'payout',
        ]);
        const { api_key: key } = JSON.parse(made) as { api_key: string };
        const shown = await operator.run(['log', '--json', '--limit', '1']);
        await operator.run(['merchants', 'revoke-key', '--merchant', people.ada.merchantId, '--key', key]);
        return { became: 'noticed', shown };
      },
    ),
  ],
  hide: [
    commands(
      'decides about a customer without a reason',
      ({ ada }) => [
        ...['customers', 'set-kyc-status', '--merchant', ada.merchantId, '--customer', ada.customerId],
        ...['--status', 'rejected'],
      ],
      "required option '--reason <text>' not specified",
    ),
    does(
      "acts under another one's name",
      'running',
      noticedBy(
        'the one who is named',
        'when reading the log of acts: the record has the name that was given',
        '"actor":"alice"',
      ),
      async ({ operator, people: { ada } }) => {
        const of = ['--merchant', ada.merchantId, '--scopes', 'read', '--actor', 'alice'];
        const { api_key: key } = JSON.parse(await operator.run(['merchants', 'add-key', ...of])) as { api_key: string };
        const shown = await operator.run(['log', '--json', '--limit', '1']);
        await operator.run(['merchants', 'revoke-key', '--merchant', ada.merchantId, '--key', key]);
        return { became: 'noticed', shown };
      },
    ),
    sql(
      'deletes his act',
      { login: 'customer_app', database: 'customer', statements: ['DELETE FROM operator_acts'] },
      refusedBy('Postgres', 'permission denied for table operator_acts'),
    ),
  ],
  undo: [
    commands(
      'erases a customer who has money',
      ({ ada }) => [
        ...['customers', 'erase', '--merchant', ada.merchantId, '--customer', ada.customerId, '--reason', 'case 1'],
      ],
      'closed',
    ),
    does(
      'rejects a customer who was approved',
      'running',
      onTheRecord('customers set-kyc-status'),
      async ({ operator, people: { ada } }) => {
        const of = ['--merchant', ada.merchantId, '--customer', ada.customerId, '--reason', 'case 2'];
        await operator.run(['customers', 'set-kyc-status', ...of, '--status', 'rejected']);
        const shown = await operator.run(['log', '--json', '--limit', '1']);
        await operator.run(['customers', 'set-kyc-status', ...of, '--status', 'under_review']);
        await operator.run(['customers', 'set-kyc-status', ...of, '--status', 'approved']);
        return { became: 'noticed', shown };
      },
    ),
  ],
  read: [
    commands(
      'reads the names of customers without a reason',
      () => ['customers', 'list', '--personal-data'],
      '--reason',
    ),
    does('reads them with one', 'running', onTheRecord('case 3'), async ({ operator }) => {
      await operator.run(['customers', 'list', '--personal-data', '--reason', 'case 3']);
      return { became: 'noticed', shown: await operator.run(['log', '--json', '--limit', '1']) };
    }),
  ],
};
