import { Injectable } from '@nestjs/common';
import { listApiKeys } from '@stablecoin/contracts/customer/list-api-keys';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Members } from '@stablecoin/people-store/members';
import { Session } from '@stablecoin/people-store/sessions';
import { AskingMerchant } from '../reads/from-merchant';
import { MerchantTransactions } from './merchant-transactions';

/** Who stands behind a signature of the ledger: a member of the merchant, or a program with one of its keys. */
interface Signer {
  kind: 'person' | 'api_key';
  /** Of the membership, or of the key. */
  id: string;
  /** Null of a person for members who may not see personal data, and of a key that has none. */
  name: string | null;
  is_you: boolean;
}

export interface TransactionSigners {
  /** Null where the log does not say it: of what no policy has judged. */
  created_by: Signer | null;
  approvals: (Signer & { approved_at: string })[];
}

/** The persons and keys behind a payout: the ledger knows a person by the membership, and its name is here alone. */
@Injectable()
export class TransactionSignerNames {
  constructor(
    private readonly transactions: MerchantTransactions,
    private readonly members: Members,
    private readonly bus: BusClient,
  ) {}

  async of(merchant: AskingMerchant, session: Session, name: string): Promise<TransactionSigners> {
    const { created_by, approvals } = await this.transactions.signersOf(merchant, name);
    const ids = [...new Set([created_by, ...approvals.map(({ api_key_id }) => api_key_id)])].filter(
      (id) => id !== null,
    );
    if (ids.length === 0) return { created_by: null, approvals: [] };
    const people = await this.members.namesOf(ids, session);
    const keys = ids.every((id) => people.has(id)) ? new Map<string, string | null>() : await this.keyNames(merchant);
    const signer = (id: string): Signer => {
      const person = people.get(id);
      const is_you = id === session.member_id;
      if (person === undefined) return { kind: 'api_key', id, name: keys.get(id) ?? null, is_you };
      return { kind: 'person', id, name: merchant.seesPersonalData ? person : null, is_you };
    };
    return {
      created_by: created_by === null ? null : signer(created_by),
      approvals: approvals.map(({ api_key_id, approved_at }) => ({ ...signer(api_key_id), approved_at })),
    };
  }

  private async keyNames({ merchant_id }: AskingMerchant): Promise<Map<string, string | null>> {
    const { keys } = await this.bus.call(listApiKeys, { merchant_id });
    return new Map(keys.map(({ id, name }) => [id, name]));
  }
}
