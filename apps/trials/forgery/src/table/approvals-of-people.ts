/** Payouts that the backoffice decides although no person has. */
import { randomUUID } from 'node:crypto';
import type { DeviceSignature } from '@stablecoin/command-proofs/device-signature';
import { approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { rejectPayout } from '@stablecoin/contracts/wallet/reject-payout';
import { dataOf } from '@stablecoin/testing/merchant-client';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import type { Site } from '../ground/site';
import { payOutOf, watchedMerchant } from '../ground/watched-merchant';
import { noticedBy, refusedBy } from '../judging/expectation';
import { does, refusalOf } from './lines';

const HASH = '0'.repeat(64);

/** A payout that waits, and what the backoffice would say of it. */
async function waitingPayout(site: Site) {
  const merchant = await watchedMerchant(site, 1);
  const { id, transaction_id, approval_hash } = await payOutOf(merchant, '101');
  const signer = { key_id: randomUUID(), signer_id: randomUUID() };
  const ids = { merchant_id: merchant.merchantId, command_id: randomUUID() };
  const approved = { ...ids, transaction: id, approval_hash };
  const shown = () =>
    dataOf(
      merchant.creator.get<{ status: string; approvals: { api_key_id: string }[] }>(
        `/customers/transactions/by_txid/${transaction_id}`,
      ),
    );
  /** @param signed what a passkey would have signed; undefined for none */
  const approve = (signed: DeviceSignature | undefined) =>
    site.bus.call(
      approvePayout,
      { ...approved, input_hash: HASH, signer },
      {
        ...{ user: 'backoffice', shard: merchant.shard },
        ...(signed && { evidence: { type: 'approval', ...approved, ...signer, ...signed } as const }),
      },
    );
  const reject = () =>
    site.bus.call(
      rejectPayout,
      { ...ids, transaction: id, input_hash: HASH, signer },
      { user: 'backoffice', shard: merchant.shard },
    );
  return { approval_hash, approve, reject, shown };
}

export const approvesWithoutPasskey = does(
  'approves a payout that no person has approved',
  'running',
  refusedBy('the ledger', 'unavailable no_evidence'),
  async (site) => {
    const { approve } = await waitingPayout(site);
    return refusalOf(site, () => approve(undefined));
  },
);

export const approvesByTheWrongSignature = does(
  "approves a payout by what a person's passkey has signed for another one",
  'running',
  refusedBy('the ledger', 'unavailable wrong_evidence'),
  async (site) => {
    const { approve } = await waitingPayout(site);
    const device = SoftwareDevice.at('https://console.example');
    return refusalOf(site, () => approve(device.signs(Buffer.alloc(32, 1))));
  },
);

export const approvesByItsOwnPasskey = does(
  'approves a payout by a passkey that it has made itself',
  'running',
  noticedBy(
    'the merchant',
    'at a look at its payouts: the approval names no member of it; the log has the public key, of no passkey that a person has',
    'approved by',
  ),
  async (site) => {
    const { approval_hash, approve, shown } = await waitingPayout(site);
    const device = SoftwareDevice.at('https://console.example');
    await approve(device.signs(Buffer.from(approval_hash, 'hex')));
    const [approved] = (await shown()).approvals;
    return { became: 'noticed', shown: `approved by ${approved?.api_key_id}` };
  },
);

export const rejectsForNoMember = does(
  'rejects a payout that no person has rejected',
  'running',
  noticedBy(
    'the merchant',
    'at the next look at the payout, which has failed; its money is back in the wallet',
    'FAILED',
  ),
  async (site) => {
    const { reject, shown } = await waitingPayout(site);
    await reject();
    return { became: 'noticed', shown: (await shown()).status };
  },
);
