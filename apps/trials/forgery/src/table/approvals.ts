/** Four eyes: by one pair of them, by a program that speaks for both, or past them. */
import { randomUUID } from 'node:crypto';
import { approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { eventually } from '@stablecoin/testing/eventually';
import { dataOf, successOf } from '@stablecoin/testing/merchant-client';
import { payOutOf, watchedMerchant } from '../ground/watched-merchant';
import { noticedBy, refusedBy } from '../judging/expectation';
import { does } from './lines';

const HASH = '0'.repeat(64);

export const approvesTwiceAtOnce = does(
  'approves a payout that needs two persons with two keys of one person, at the same moment',
  'running',
  refusedBy('the gateway', '403 approver_not_allowed'),
  async (site) => {
    const merchant = await watchedMerchant(site, 2);
    const { id, approval_hash } = await payOutOf(merchant, '101');
    const answers = await Promise.all(
      merchant.approvers.map((approver) => approver.post(`/payouts/${id}/approve`, { approval_hash })),
    );
    const refused = answers.find(({ status }) => status >= 300);
    if (!refused) return { became: 'unseen', what: answers.map(({ text }) => text).join('\n') };
    return { became: 'refused', by: 'the gateway', error: `${refused.status} ${refused.body.code ?? refused.text}` };
  },
);

export const approvesAnother = does(
  'has a payout approved, and shows that approval for another one of the same amount to the same account',
  'running',
  refusedBy('the gateway', '409 approval_mismatch'),
  async (site) => {
    const merchant = await watchedMerchant(site, 1);
    const [one, other] = [await payOutOf(merchant, '101'), await payOutOf(merchant, '101')];
    const [approver] = merchant.approvers;
    await successOf(approver.post(`/payouts/${one.id}/approve`, { approval_hash: one.approval_hash }));
    const answer = await approver.post(`/payouts/${other.id}/approve`, { approval_hash: one.approval_hash });
    if (answer.status < 300) return { became: 'unseen', what: answer.text };
    return { became: 'refused', by: 'the gateway', error: `${answer.status} ${answer.body.code ?? answer.text}` };
  },
);

export const approvesWithAnotherKey = does(
  'approves his own payout with another key of his person',
  'running',
  refusedBy('the gateway', '403 approver_not_allowed'),
  async (site) => {
    const merchant = await watchedMerchant(site, 1);
    const { id, approval_hash } = await payOutOf(merchant, '101');
    const keys = JSON.parse(
      await site.operator.run(['merchants', 'list-keys', '--merchant', merchant.merchantId, '--json']),
    ) as { key_id: string; scopes: string[] }[];
    const creator = keys.find(({ scopes }) => scopes.includes('payout'));
    const of = ['--merchant', merchant.merchantId, '--same-person-as', creator?.key_id ?? ''];
    const made = await site.operator.run(['merchants', 'add-key', ...of, '--scopes', 'read,approve']);
    const { api_key: apiKey } = JSON.parse(made) as { api_key: string };
    const { status, body, text } = await merchant.creator.post(`/payouts/${id}/approve`, { approval_hash }, { apiKey });
    if (status < 300) return { became: 'unseen', what: text };
    return { became: 'refused', by: 'the gateway', error: `${status} ${body.code ?? text}` };
  },
);

export const approvesItsOwn = does(
  'pays out and approves it, by the names of two keys that no merchant has',
  'running',
  noticedBy('the merchant', 'at a look at its payouts: the approval names a key that it does not have', 'approved by'),
  async (site) => {
    const { merchantId, shard, creator } = await watchedMerchant(site, 1);
    const asking = { user: 'gateway', shard, onBehalfOf: { merchantId, mode: 'test' } } as const;
    const signer = () => ({ key_id: randomUUID(), signer_id: randomUUID() });
    const command = () => ({ merchant_id: merchantId, command_id: randomUUID(), input_hash: HASH });
    const { result } = await site.bus.call(
      holdPayout,
      {
        ...{ ...command(), currency: 'USD', amount: '5', rail: 'bank', sealed_destination: 'v1.forged' },
        ...{ recipient_currency: 'NGN', exchange_rate: '1500' },
        ...{ key_mode: 'test', signer: signer(), destination_hash: HASH },
      },
      asking,
    );
    const approval = { transaction: result.id, approval_hash: result.approval_hash ?? '', signer: signer() };
    await site.bus.call(approvePayout, { ...command(), ...approval }, asking);
    const path = `/customers/transactions/by_txid/${result.transaction_id}`;
    const shown = await dataOf(creator.get<{ approvals: { api_key_id: string }[] }>(path));
    const [approved] = shown.approvals;
    return { became: 'noticed', shown: `approved by ${approved?.api_key_id}` };
  },
);

export const paysWhatWasRejected = does(
  'has a payout sent that was rejected, and whose money was given back',
  'running',
  refusedBy('the payout service', 'is not sent'),
  async (site) => {
    const merchant = await watchedMerchant(site, 1);
    const { id } = await payOutOf(merchant, '101');
    await successOf(merchant.approvers[0].post(`/payouts/${id}/reject`, {}));
    const { payout } = site.databases;
    const row = async () =>
      (
        await payout.rows<{ state: string; due: boolean }>(
          `SELECT state, next_step_at IS NOT NULL AS due FROM payouts WHERE id = '${id}'`,
        )
      )[0];
    await eventually('the payout service hears of it', async () => (await row())?.state === 'failed');
    await payout.as('payout_app', [
      `UPDATE payouts SET state = 'accepted', attempts = 0, next_step_at = now() WHERE id = '${id}'`,
    ]);
    await eventually('it is not due any more', async () => (await row())?.due === false);
    const [taken] = await payout.rows<{ outcome: string }>(
      `SELECT outcome FROM sandbox_rail WHERE reference LIKE '%${id}'`,
    );
    if (taken) return { became: 'unseen', what: `the rail took it, with the outcome ${taken.outcome}` };
    return { became: 'refused', by: 'the payout service', error: 'it has ended in the ledger, and is not sent' };
  },
);
