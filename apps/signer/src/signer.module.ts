import { Module } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { configuredKeys } from './keys/configured-keys';
import { TransactionKeys } from './keys/transaction-keys';
import { SignerConfiguration } from './signer.configuration';
import { DescribeSignerHandler } from './signing/describe-signer.handler';
import { SignTransferHandler } from './signing/sign-transfer.handler';
import { SignerFigures } from './signing/signer-figures';
import { SigningJournal } from './signing/signing-journal';
import { TransferSigner } from './signing/transfer-signer';

const keys = { provide: TransactionKeys, inject: [SignerConfiguration], useFactory: configuredKeys };

const journal = {
  provide: SigningJournal,
  inject: [SignerConfiguration, TransactionKeys],
  useFactory: ({ journalDirectory }: SignerConfiguration, { evmParent }: TransactionKeys) =>
    SigningJournal.open(journalDirectory, evmParent),
};

const signer = {
  provide: TransferSigner,
  inject: [TransactionKeys, SigningJournal, SignerConfiguration],
  useFactory: (
    transactionKeys: TransactionKeys,
    signingJournal: SigningJournal,
    { coldAddress: cold, caps, orders }: SignerConfiguration,
  ) => new TransferSigner(transactionKeys, signingJournal, { cold, caps, orders }),
};

@Module({
  imports: [OperationHandlersModule],
  providers: [keys, journal, signer, SignerFigures, SignTransferHandler, DescribeSignerHandler],
})
export class SignerModule {}
