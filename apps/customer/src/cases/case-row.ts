import { CaseView } from '@stablecoin/contracts/customer/case-views';
import { Prisma } from '@stablecoin/customer-store/generated/client';

export interface CaseRow extends Omit<CaseView, 'customer_id' | 'created_at' | 'updated_at' | 'erased_at'> {
  id: string;
  created_at: Date;
  updated_at: Date;
  erased_at: Date | null;
}

/** Of `customers`: a `CaseRow`. */
export const CASE_COLUMNS = Prisma.raw(
  'id, merchant_id, customer_type, status, kyc_status, created_at, updated_at, erased_at',
);

export const caseView = ({ id, created_at, updated_at, erased_at, ...row }: CaseRow): CaseView => ({
  ...{ customer_id: id, merchant_id: row.merchant_id, customer_type: row.customer_type, status: row.status },
  ...{ kyc_status: row.kyc_status, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  erased_at: erased_at?.toISOString() ?? null,
});
