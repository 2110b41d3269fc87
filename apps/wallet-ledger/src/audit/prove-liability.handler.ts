import { ProveLiability, proveLiability } from '@stablecoin/contracts/wallet/prove-liability';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LiabilityDocument } from '@stablecoin/event-proofs/liabilities/verify-liability';
import { latestLiabilities } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { liabilityDocument } from '@stablecoin/ledger-store/liabilities/prove-liability';
import { Handles } from '@stablecoin/messaging/handles';
import { Currency } from '@stablecoin/money/currency';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from './audit-work';

@Handles(proveLiability)
export class ProveLiabilityHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: ProveLiability): Promise<LiabilityDocument<Currency>> {
    return this.work.run(() => asRefusal(() => this.prove(request)));
  }

  private async prove({ merchant_id, wallet_id }: ProveLiability): Promise<LiabilityDocument<Currency>> {
    // A statement never changes: of the same number, the document is the same.
    const { home } = this.databases;
    const { reads } = await this.databases.forReads();
    const [found] = await reads.$queryRaw<{ id: string; currency: Currency; newest: bigint | null }[]>`
      SELECT id::text, currency, (SELECT max(number) FROM ledger_liabilities) AS newest
      FROM wallets WHERE id = ${wallet_id}::uuid AND merchant_id = ${merchant_id}::uuid`;
    if (!found) throw new Refusal('not_found');
    const { newest: here, ...wallet } = found;
    const newest = reads === home.reads ? here : ((await latestLiabilities(home.reads))?.number ?? null);
    if (newest === null) throw new Refusal('proof_pending');
    return this.work.document(`liability/${newest}/${wallet.id}`, () => this.make(wallet));
  }

  private async make(wallet: { id: string; currency: Currency }): Promise<LiabilityDocument<Currency>> {
    const statement = await latestLiabilities(this.databases.home.reads);
    const document = statement && (await liabilityDocument(this.databases.home.reads, statement, wallet));
    if (!document) throw new Refusal('proof_pending');
    return document;
  }
}
