import { OnApplicationBootstrap } from '@nestjs/common';
import { type SignedTransfer, SignTransfer, signTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { Handles } from '@stablecoin/messaging/handles';
import { initializeSeries } from '@stablecoin/telemetry/metrics/instruments';
import { TransferSigner } from './transfer-signer';

@Handles(signTransfer)
export class SignTransferHandler implements OnApplicationBootstrap {
  constructor(private readonly signer: TransferSigner) {}

  /** Of what is refused before any rule sees it, the first must be noticed too (SignerGetsMalformedRequests). */
  onApplicationBootstrap(): void {
    initializeSeries('bus_refusals_total', { subject: [signTransfer.subject], code: ['validation_failed'] });
  }

  execute(request: SignTransfer): Promise<SignedTransfer> {
    return this.signer.sign(request);
  }
}
